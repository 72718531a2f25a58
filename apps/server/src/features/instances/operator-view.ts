import type { Database } from "../../database/schema.ts";

/** Every device that is not over, with what only the operator may know: who looks after it and where it answers adb. */
export async function listForOperator(db: Database) {
  const rows = await db
    .selectFrom("instances")
    .innerJoin("users", "users.uuid", "instances.owner_uuid")
    .select([
      "instances.uuid",
      "instances.name",
      "instances.state",
      "users.email as owner",
      "lease_holder as gateway",
      "machine",
    ])
    .where("state", "<>", "DELETED")
    .orderBy("instances.created_at")
    .execute();
  return rows.map(({ machine, ...row }) => ({ ...row, adb: machine ? `${machine.host}:${machine.port}` : null }));
}
