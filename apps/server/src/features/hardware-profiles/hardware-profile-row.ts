import type { Selectable } from "kysely";
import type { HardwareProfileTable } from "./hardware-profiles.tables.ts";

/** Without its times, which a recipe that holds it does not read. */
export type HardwareProfileRow = Omit<Selectable<HardwareProfileTable>, "created_at" | "updated_at">;
