import { z } from "zod";
import type { Database } from "../../database/schema.ts";

const Limit = z.int().min(0).max(100_000);

/** How many devices an organisation may run at once. Throws when no organisation has that name. */
export async function setInstanceLimit(db: Database, name: string, count: number): Promise<void> {
  const instances_max = Limit.parse(count);
  const changed = await db
    .updateTable("organizations")
    .set({ instances_max })
    .where("name", "=", name)
    .returning("uuid")
    .executeTakeFirst();
  if (!changed) throw new Error(`No organisation is called ${name}.`);
}
