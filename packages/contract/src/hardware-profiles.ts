import { z } from "zod";
import { ByUuid, FormFactor, pageOf, Paging, Search, Uuid } from "./fields.ts";
import { routes } from "./routes.ts";
import { Person } from "./users.ts";

export const Display = z.object({ width: z.int(), height: z.int(), density: z.int() });
export const displayModes = ["REGULAR", "FOLDABLE", "MULTI_DISPLAY"] as const;

export const HardwareProfile = z.object({
  uuid: Uuid,
  name: z.string(),
  is_official: z.boolean(),
  owner: Person.nullable(),
  /** How many recipes that the caller may use are made with it. */
  recipe_count: z.int(),
  form_factor: FormFactor,
  display_mode: z.enum(displayModes),
  display_settings: z.object({ displays: z.array(Display), hw_navigation_keys: z.boolean() }),
  device_properties: z.record(z.string(), z.string()),
  cpu_count: z.int(),
  ram_size: z.int().meta({ description: "MB" }),
  data_disk_size: z.int().meta({ description: "MB" }),
});
export type HardwareProfile = z.infer<typeof HardwareProfile>;

/** Filters a list: the official catalogue, the caller's own rows, or all rows that are not official. */
export const ownedSources = ["all", "official", "owner", "custom"] as const;

export const hardwareProfiles = routes({
  list: {
    method: "GET",
    path: "/v1/hardware-profiles",
    summary: "Hardware profiles",
    access: "member",
    query: Paging.extend({ search: Search.optional(), source: z.enum(ownedSources).default("all") }),
    reply: pageOf(HardwareProfile),
    fails: ["PAGE_TOO_LARGE"],
  },
  get: {
    method: "GET",
    path: "/v1/hardware-profiles/:uuid",
    summary: "One hardware profile",
    access: "member",
    params: ByUuid,
    reply: HardwareProfile,
    fails: ["HARDWARE_PROFILE_NOT_FOUND"],
  },
});
