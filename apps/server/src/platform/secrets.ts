import { randomBytes } from "node:crypto";
import type { Database } from "./db/database.ts";

/** A key of this installation, made at the first call and kept: every process and every restart has the same. */
export async function secretFor(db: Database, name: string): Promise<Uint8Array> {
  await db
    .insertInto("secrets")
    .values({ name, value: randomBytes(32).toString("base64") })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db.selectFrom("secrets").select("value").where("name", "=", name).executeTakeFirstOrThrow();
  return Buffer.from(value, "base64");
}
