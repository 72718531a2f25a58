import type { Kysely } from "kysely";
import { randomBytes } from "node:crypto";
import type { Schema } from "./db/schema.ts";

/** A key of this installation, made at the first call and kept: every process and every restart has the same. */
export async function secretFor(db: Kysely<Schema>, name: string): Promise<Uint8Array> {
  await db
    .insertInto("secrets")
    .values({ name, value: randomBytes(32).toString("base64") })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db.selectFrom("secrets").select("value").where("name", "=", name).executeTakeFirstOrThrow();
  return Buffer.from(value, "base64");
}
