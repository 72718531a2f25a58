import type { Arch, OsImage } from "@terrarium/contract";
import type { GeneratedAlways, JSONColumnType } from "kysely";
import type { Time, WithDefault } from "../../platform/db/columns.ts";

/** A piece of a saved state, by the SHA-256 of its bytes; see `LayerStore`. */
export interface Layer {
  sha256: string;
  size: number;
}

export interface OsImageTable {
  uuid: string;
  name: string;
  is_official: boolean;
  is_beta: WithDefault<boolean>;
  owner_uuid: string | null;
  organization_uuid: string | null;
  status: OsImage["status"];
  /** Incremented with each change, by a trigger. */
  revision: WithDefault<number>;
  arch: Arch;
  os_version: string;
  sdk_version: number;
  image_version: string;
  form_factors: string[];
  /** Which way of running devices it is for, and what that runtime is to run. */
  runtime: string;
  artefact: string;
  /** Of the artefact, as its runtime knows it; null if the operator has not said. */
  checksum: WithDefault<string | null>;
  /** How long devices took from the start until they were online, in milliseconds: half of them, and 95 of 100; null before the first. */
  boot_p50_ms: WithDefault<number | null>;
  boot_p95_ms: WithDefault<number | null>;
  /** The saved state that its devices start from, lowest layer first; empty if none was saved. */
  layers: JSONColumnType<Layer[], string | undefined>;
  /** The saved state before the last save, for going back to; null if that is not possible. */
  previous_layers: JSONColumnType<Layer[], string | null | undefined, string | null> | null;
  /** Bytes of the layers, and of the previous ones; computed by the database. */
  saved_size: GeneratedAlways<number>;
  previous_size: GeneratedAlways<number>;
  position: WithDefault<number>;
  created_at: Time;
  updated_at: Time;
}

/** Where an artefact is alone; those without a row are everywhere. */
export interface ImageZonesTable {
  runtime: string;
  artefact: string;
  zones: string[];
}

declare module "../../database/schema.ts" {
  interface Schema {
    os_images: OsImageTable;
    image_zones: ImageZonesTable;
  }
}
