import type { Arch, OsImage } from "@terrarium/contract";
import type { Time, WithDefault } from "../../platform/db/columns.ts";

export interface OsImageTable {
  uuid: string;
  name: string;
  is_official: boolean;
  is_beta: WithDefault<boolean>;
  owner_uuid: string | null;
  organization_uuid: string | null;
  status: OsImage["status"];
  arch: Arch;
  os_version: string;
  sdk_version: number;
  image_version: string;
  form_factors: string[];
  /** Which way of running devices it is for, and what that runtime is to run. */
  runtime: string;
  artefact: string;
  position: WithDefault<number>;
  created_at: Time;
  updated_at: Time;
}

export interface OsImageTables {
  os_images: OsImageTable;
}
