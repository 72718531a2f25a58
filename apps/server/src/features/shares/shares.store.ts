import type { Person } from "@terrarium/contract";
import type { Insertable } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Database } from "../../database/schema.ts";
import { notify } from "../../platform/db/listen.ts";
import { CATALOGUE_CHANGED, type ChangedRow } from "../catalogue/catalogue-change.ts";
import type { ShareTable } from "./shares.tables.ts";

export interface ShareRow extends Omit<Insertable<ShareTable>, "shared_by"> {
  shared_by: Person | null;
}

export interface Recipients {
  users: (Person & { organization_uuid: string | null })[];
  organizations: { uuid: string; name: string }[];
}

/** A share by its own identifier, or by its recipe's. */
export const findShare = (db: Database, by: "uuid" | "recipe_uuid", uuid: string): Promise<ShareRow | undefined> =>
  db
    .selectFrom("shares")
    .select(["uuid", "recipe_uuid", "message", "created_at", "updated_at"])
    .select((select) =>
      jsonObjectFrom(
        select
          .selectFrom("users")
          .select(["users.uuid", "users.email", "users.first_name", "users.last_name"])
          .whereRef("users.uuid", "=", "shares.shared_by"),
      ).as("shared_by"),
    )
    .where(by, "=", uuid)
    .executeTakeFirst();

/** Whom a recipe is shared with, by address and by name. */
export async function findRecipients(db: Database, recipe: string): Promise<Recipients> {
  const users = await db
    .selectFrom("share_recipients as recipient")
    .innerJoin("users", "users.uuid", "recipient.user_uuid")
    .select(["users.uuid", "email", "first_name", "last_name", "users.organization_uuid"])
    .where("recipient.recipe_uuid", "=", recipe)
    .orderBy("email")
    .execute();
  const organizations = await db
    .selectFrom("share_recipients as recipient")
    .innerJoin("organizations", "organizations.uuid", "recipient.organization_uuid")
    .select(["organizations.uuid", "name"])
    .where("recipient.recipe_uuid", "=", recipe)
    .orderBy("name")
    .execute();
  return { users, organizations };
}

/** Which of these organizations there are. */
export async function findOrganizations(db: Database, uuids: readonly string[]): Promise<Set<string>> {
  if (uuids.length === 0) return new Set();
  const rows = await db.selectFrom("organizations").select("uuid").where("uuid", "in", uuids).execute();
  return new Set(rows.map(({ uuid }) => uuid));
}

export async function insertShare(trx: Database, row: Insertable<ShareTable>): Promise<void> {
  await trx.insertInto("shares").values(row).execute();
}

export async function updateShare(trx: Database, uuid: string, message: string, updated_at: Date): Promise<void> {
  await trx.updateTable("shares").set({ message, updated_at }).where("uuid", "=", uuid).execute();
}

/** Its recipients go with it. */
export async function deleteShare(trx: Database, uuid: string): Promise<void> {
  await trx.deleteFrom("shares").where("uuid", "=", uuid).execute();
}

export interface RecipientUuids {
  users: readonly string[];
  organizations: readonly string[];
}

export async function addRecipients(trx: Database, recipe: string, { users, organizations }: RecipientUuids) {
  const rows = [
    ...users.map((user_uuid) => ({ recipe_uuid: recipe, user_uuid, organization_uuid: null })),
    ...organizations.map((organization_uuid) => ({ recipe_uuid: recipe, user_uuid: null, organization_uuid })),
  ];
  if (rows.length > 0) await trx.insertInto("share_recipients").values(rows).execute();
}

export async function removeRecipients(trx: Database, recipe: string, { users, organizations }: RecipientUuids) {
  const gone = [...users, ...organizations];
  if (gone.length === 0) return;
  await trx
    .deleteFrom("share_recipients")
    .where("recipe_uuid", "=", recipe)
    .where((where) => where.or([where("user_uuid", "in", gone), where("organization_uuid", "in", gone)]))
    .execute();
}

/** Notifies those who may use a recipe that it has changed, and then `gone`, users and organizations, that they no longer may. */
export async function notifyShareChanged(
  trx: Database,
  recipe: string,
  gone: readonly string[],
  now: Date,
): Promise<void> {
  const row = await trx
    .updateTable("recipes")
    .set((set) => ({ revision: set("revision", "+", 1), updated_at: now }))
    .where("uuid", "=", recipe)
    .returning(["uuid", "status", "revision"])
    .executeTakeFirst();
  if (!row || gone.length === 0) return;
  const change: ChangedRow = { table: "recipes", ...row, recipients: [...gone], is_gone: true };
  await notify(trx, CATALOGUE_CHANGED, JSON.stringify(change));
  await trx
    .insertInto("recipes_gone")
    .values({ at: now, change: JSON.stringify(change) })
    .execute();
}
