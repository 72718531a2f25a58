import type { Database } from "../../database/schema.ts";
import { findOrganizationsByName, hasOrganization } from "./organizations.store.ts";

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * The uuid of the organization that the operator calls by its uuid or its name. Several may have the same name, as whoever signs up chooses it.
 * @throws Error that says why, if there is none, or it is not clear which one is meant
 */
export async function organizationCalled(db: Database, called: string): Promise<string> {
  const uuid = await findOrganizationCalled(db, called);
  if (uuid === undefined) throw new Error(`No organization is called ${called}.`);
  return uuid;
}

/** Likewise, but undefined if none has the name. */
export async function findOrganizationCalled(db: Database, called: string): Promise<string | undefined> {
  const uuid = called.trim().toLowerCase();
  if (UUID.test(uuid)) {
    if (await hasOrganization(db, uuid)) return uuid;
    throw new Error(`No organization has the uuid ${uuid}.`);
  }
  const [first, ...others] = await findOrganizationsByName(db, called);
  if (others.length > 0)
    throw new Error(
      `Several organizations are called ${called}. Say which one by its uuid:\n${[first, ...others].join("\n")}`,
    );
  return first;
}
