import type { Person } from "@terrarium/contract";
import type { Selectable } from "kysely";
import type { OsImageTable } from "./os-images.tables.ts";

/**
 * Without its times and its place in the catalogue, which a recipe that holds it does not read, and without its layers, which may be
 * megabytes: a start reads them by `findLayers`.
 */
export interface OsImageRow extends Omit<
  Selectable<OsImageTable>,
  "position" | "created_at" | "updated_at" | "layers" | "previous_layers" | "previous_size"
> {
  owner: Person | null;
  has_previous_layers: boolean;
}
