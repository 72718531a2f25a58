import type { Selectable } from "kysely";
import type { OsImageTable } from "./os-images.tables.ts";

/** Without its times, which a recipe that holds it does not read. */
export type OsImageRow = Omit<Selectable<OsImageTable>, "created_at" | "updated_at">;
