import type { Generated, JSONColumnType } from "kysely";
import type { WithDefault } from "../../platform/db/columns.ts";

/** How a process was doing in the last ten seconds. */
export interface ServerLoad {
  /** Processors that it used. */
  cpu: number;
  memory_bytes: number;
  /** By how much its event loop was late, for one turn in a hundred. */
  event_loop_ms: number;
  /** Processes of the machine that ran or waited to, by its processors. */
  host_load: number;
  /** How much of the machine's memory is in use, from 0 to 1. */
  host_memory: number;
}

/** A process of the service, for the operator to look at; nothing else depends on these rows. Times are by the database's clock. */
export interface ServerTable {
  id: string;
  host: string;
  pid: number;
  roles: string[];
  version: string;
  started_at: Generated<Date>;
  seen_at: WithDefault<Date>;
  load: JSONColumnType<ServerLoad>;
}

declare module "../../database/schema.ts" {
  interface Schema {
    servers: ServerTable;
  }
}
