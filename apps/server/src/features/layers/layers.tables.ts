import type { OptionalTime } from "../../platform/db/columns.ts";

/** A layer that is in the file store, or about to be. */
export interface LayerTable {
  sha256: string;
  /** In bytes. */
  size: number;
  /** Since when the job that collects layers has found it unused; null while it is used, or was stored since that job last ran. */
  unused_since: OptionalTime;
}

declare module "../../database/schema.ts" {
  interface Schema {
    layers: LayerTable;
  }
}
