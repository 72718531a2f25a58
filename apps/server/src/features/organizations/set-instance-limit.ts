import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { updateInstanceLimit } from "./organizations.store.ts";

const Limit = z.int().min(0).max(100_000);

/** How many devices an organization may run at once. Throws when no organization has that name. */
export async function setInstanceLimit(db: Database, name: string, count: number): Promise<void> {
  if (!(await updateInstanceLimit(db, name, Limit.parse(count)))) throw new Error(`No organization is called ${name}.`);
}
