import type { User } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import type { Database } from "../../database/schema.ts";
import { joinDefaultGroup } from "../groups/default-group.ts";
import { presentUser } from "./present-user.ts";
import { findUser, findUserByEmail, insertUser } from "./users.store.ts";
import type { UserTable } from "./users.tables.ts";

/**
 * Adds a person whose address is confirmed. A member joins the default group.
 * @throws Error of the database, `users_email_key`, if the address is taken
 */
export async function createUser(trx: Database, fields: Omit<Insertable<UserTable>, "uuid">): Promise<User> {
  const uuid = randomUUID();
  await insertUser(trx, { ...fields, uuid, is_validated: true });
  await joinDefaultGroup(trx, { ...fields, uuid });
  const user = await findUser(trx, uuid);
  if (!user) throw new Error(`User ${uuid} was not inserted`);
  return presentUser(user);
}

export const hasAccount = async (db: Database, email: string): Promise<boolean> =>
  (await findUserByEmail(db, email)) !== undefined;
