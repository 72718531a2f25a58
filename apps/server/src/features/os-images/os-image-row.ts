import type { Person } from "@terrarium/contract";
import type { Selectable } from "kysely";
import type { OsImageTable } from "./os-images.tables.ts";

/** Without its times, which a recipe that holds it does not read. */
export interface OsImageRow extends Omit<Selectable<OsImageTable>, "created_at" | "updated_at"> {
  owner: Person | null;
}
