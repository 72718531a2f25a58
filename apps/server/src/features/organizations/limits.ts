import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { OwnedTable } from "../catalogue/owned.ts";
import { countOwned, lockOrganization, type OrganizationRow } from "./organizations.store.ts";

export type { OrganizationRow } from "./organizations.store.ts";

const refusals = {
  recipes: "TOO_MANY_RECIPES",
  hardware_profiles: "TOO_MANY_HARDWARE_PROFILES",
  os_images: "TOO_MANY_OS_IMAGES",
} as const;

/**
 * An organization's limits. From here to the end of the transaction nobody else reads them to add something, so limits hold for concurrent
 * requests. To be called before anything else is locked: a start locks the organization, then the recipe.
 * @throws ORGANIZATION_NOT_FOUND
 */
export async function lockLimits(trx: Database, organization: string): Promise<OrganizationRow> {
  const row = await lockOrganization(trx, organization);
  if (!row) throw new AppError("ORGANIZATION_NOT_FOUND");
  return row;
}

/** Refuses another row of a kind to an organization that has as many as it may. @throws TOO_MANY_RECIPES and its like */
export async function checkRoom(trx: Database, organization: OrganizationRow, table: OwnedTable): Promise<void> {
  const max = organization[`${table}_max`];
  const count = await countOwned(trx, table, organization.uuid);
  if (count >= max) throw new AppError(refusals[table], { facts: { count, max } });
}
