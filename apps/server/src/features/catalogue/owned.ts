import { AppError, type ErrorCode } from "@terrarium/contract";
import type { Actor } from "../sessions/actor.ts";

/** The tables whose rows are official, or belong to a member of an organization. */
export type OwnedTable = "hardware_profiles" | "os_images" | "recipes";

/** Whoever reads. A guest, who has no organization, sees only what is shared with them. */
export type Reader = Pick<Actor, "uuid" | "organization">;

export interface Owned {
  is_official: boolean;
  owner_uuid: string | null;
  organization_uuid: string | null;
}

/** The errors for a row that the caller may not use, and for one that they may use but not change. */
const refusals = {
  hardware_profiles: { unknown: "HARDWARE_PROFILE_NOT_FOUND", notAllowed: "HARDWARE_PROFILE_NOT_ALLOWED" },
  os_images: { unknown: "OS_IMAGE_NOT_FOUND", notAllowed: "OS_IMAGE_NOT_ALLOWED" },
  recipes: { unknown: "RECIPE_NOT_FOUND", notAllowed: "RECIPE_NOT_ALLOWED" },
} as const satisfies Record<OwnedTable, Record<string, ErrorCode>>;

const changed = {
  hardware_profiles: "HARDWARE_PROFILE_CHANGED",
  recipes: "RECIPE_CHANGED",
} as const satisfies Partial<Record<OwnedTable, ErrorCode>>;

/** Owners may change and delete their rows, and so may the managers of their organization. Official rows belong to nobody. */
export function mayEdit(actor: Reader & Pick<Actor, "isManager">, row: Owned): boolean {
  if (row.is_official || actor.organization === null || row.organization_uuid !== actor.organization) return false;
  return row.owner_uuid === actor.uuid || actor.isManager;
}

/** If an editor says which revision was edited, the row must not have been edited since. @throws the table's CHANGED */
export function checkRevision(
  table: keyof typeof changed,
  { revision, edited_revision = revision }: { revision: number; edited_revision?: number },
  edited: number | undefined,
): void {
  if (edited !== undefined && (edited < edited_revision || edited > revision)) throw new AppError(changed[table]);
}

/** @throws the table's NOT_FOUND for a row that was not found among those the actor may use */
export function checkKnown<Row>(table: OwnedTable, row: Row | undefined): asserts row is Row {
  if (row === undefined) throw new AppError(refusals[table].unknown);
}

/** @throws the table's NOT_FOUND as `checkKnown`, or NOT_ALLOWED for a row that the actor may use but not change */
export function checkMayEdit<Row extends Owned>(
  table: OwnedTable,
  actor: Actor,
  row: Row | undefined,
): asserts row is Row {
  checkKnown(table, row);
  if (!mayEdit(actor, row)) throw new AppError(refusals[table].notAllowed);
}
