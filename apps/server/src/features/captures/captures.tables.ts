import type { Capture, CaptureKind } from "@terrarium/contract";
import type { Time, WithDefault } from "../../platform/db/columns.ts";

/** A screenshot or a recording. Its file is in the file store, under its uuid. */
export interface CaptureTable {
  uuid: string;
  organization_uuid: string;
  /** Who made it. */
  user_uuid: string;
  /** There may be no such device any more. */
  instance_uuid: string;
  instance_name: string;
  kind: CaptureKind;
  media_type: Capture["media_type"];
  /** Of the file; while it is written, those that are reserved for it. */
  bytes: number;
  duration_ms: WithDefault<number | null>;
  width: WithDefault<number>;
  height: WithDefault<number>;
  /** Its file is there. */
  is_whole: WithDefault<boolean>;
  created_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    captures: CaptureTable;
  }
}
