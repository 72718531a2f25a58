import type { Database } from "../../database/schema.ts";
import { listWithMachines } from "./instances.store.ts";

/** Every device that is not over, as the operator reads it. */
export async function listForOperator(db: Database) {
  const rows = await listWithMachines(db);
  return rows.map(({ machine, ...row }) => ({ ...row, adb: machine ? `${machine.host}:${machine.port}` : null }));
}
