import type { Person } from "@terrarium/contract";
import type { Selectable } from "kysely";
import type { HardwareProfileTable } from "./hardware-profiles.tables.ts";

/** Without its times, which a recipe that holds it does not read. */
export interface HardwareProfileRow extends Omit<Selectable<HardwareProfileTable>, "created_at" | "updated_at"> {
  owner: Person | null;
}
