import { z } from "zod";
import { Arch, Time, Uuid } from "./fields.ts";
import { HardwareProfile } from "./hardware-profiles.ts";
import { OsImage, Status } from "./os-images.ts";
import { Person } from "./users.ts";

export const Recipe = z.object({
  uuid: Uuid,
  name: z.string(),
  description: z.string(),
  status: Status,
  /** Incremented with each change, so that the newer of two versions can be told. */
  revision: z.int(),
  source: z.enum(["DEFAULT", "CUSTOM"]),
  is_official: z.boolean(),
  /** That of its OS image. */
  arch: Arch.nullable(),
  owner: Person.nullable(),
  share: z.object({ uuid: Uuid }).nullable(),
  /** Null after it was deleted: the recipe is incomplete, and cannot be started. */
  hardware_profile: HardwareProfile.nullable(),
  /** Null after it was deleted, as the hardware profile. */
  os_image: OsImage.nullable(),
  /** Whether there is a state from before the last save, and nothing is being saved. */
  can_roll_back: z.boolean(),
  created_at: Time,
  updated_at: Time,
});
export type Recipe = z.infer<typeof Recipe>;
