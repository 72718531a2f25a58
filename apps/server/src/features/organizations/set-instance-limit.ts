import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Act, Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { updateInstanceLimit } from "./organizations.store.ts";

const Limit = z.int().min(0).max(100_000);

/** Sets how many devices an organization may run at once. Throws if no organization has that name. */
export async function setInstanceLimit(
  { db, audit, by }: { db: Database; audit: Audit; by: By },
  name: string,
  count: number,
): Promise<void> {
  const instances_max = Limit.parse(count);
  await transaction(db, async (trx) => {
    const changed = await updateInstanceLimit(trx, name, instances_max);
    if (changed.length === 0) throw new Error(`No organization is called ${name}.`);
    const acts = changed.map(({ uuid }): Act => ({
      action: "organization.set_instance_limit",
      subject: { kind: "organization", uuid },
      organization: uuid,
      details: { instances_max },
    }));
    await audit.record(trx, by, ...acts);
  });
}
