import type { Database } from "../../database/schema.ts";

/** Somebody with whom something can be shared. */
export interface Reachable {
  uuid: string;
  email: string;
  organization_uuid: string | null;
  /** Whether they can sign in. */
  is_active: boolean;
}

/** Operators are nobody that something could be shared with. */
const reachable = (db: Database) =>
  db
    .selectFrom("users")
    .where("is_operator", "=", false)
    .select(["uuid", "email", "organization_uuid"])
    .select((select) =>
      select.and([select("is_enabled", "=", true), select("is_validated", "=", true)]).as("is_active"),
    )
    .$narrowType<{ is_active: boolean }>();

/** Those of an organization who have these addresses, which are in lower case. */
export async function findByEmail(db: Database, organization: string, emails: readonly string[]): Promise<Reachable[]> {
  if (emails.length === 0) return [];
  return reachable(db).where("organization_uuid", "=", organization).where("email", "in", emails).execute();
}

/** The guests who have these addresses and can sign in. */
export const findGuestsByEmail = (db: Database, emails: readonly string[]): Promise<Reachable[]> =>
  reachable(db)
    .where("organization_uuid", "is", null)
    .where("email", "in", emails)
    .where("is_enabled", "=", true)
    .where("is_validated", "=", true)
    .execute();

/** Those with these uuids, of any organization. */
export async function findByUuid(db: Database, uuids: readonly string[]): Promise<Reachable[]> {
  return uuids.length === 0 ? [] : reachable(db).where("uuid", "in", uuids).execute();
}
