import { z } from "zod";
import { sayBroken } from "./field-rules.ts";
import { ByUuid, FormFactor, integerWithin, Name, orderingOf, pageOf, Paging, ruled, Search, Uuid } from "./fields.ts";
import {
  cpuCounts,
  displayCountRule,
  type DisplayMode,
  displayModes,
  type DeviceProperty,
  devicePropertyNames,
  devicePropertyRules,
  hardwareLimits,
  ramSizes,
} from "./hardware-rules.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";
import { Person } from "./users.ts";

const sides = "Pixels, in the device's natural orientation";

export const Display = z.object({
  width: z.int().meta({ description: sides }),
  height: z.int().meta({ description: sides }),
  density: z.int().meta({ description: "Dots per inch" }),
  physical_size: z
    .number()
    .nullable()
    .meta({ description: "The diagonal in inches; null if it follows from the density" }),
  show_navigation_bar: z.boolean().meta({ description: "Whether the system draws a navigation bar" }),
});

export const HardwareProfile = z.object({
  uuid: Uuid,
  name: z.string(),
  is_official: z.boolean(),
  owner: Person.nullable(),
  /** How many recipes that the caller may use are made with it. */
  recipe_count: z.int(),
  status: z.literal("READY"),
  /** Incremented with each change, so that one can see which of two versions is newer. */
  revision: z.int(),
  form_factor: FormFactor,
  display_mode: z.enum(displayModes),
  display_settings: z.object({ displays: z.array(Display), hw_navigation_keys: z.boolean() }),
  device_properties: z.record(z.string(), z.string()),
  cpu_count: z.int(),
  ram_size: z.int().meta({ description: "MB" }),
  data_disk_size: z.int().meta({ description: "MB" }),
});
export type HardwareProfile = z.infer<typeof HardwareProfile>;

const oneOf = <const Options extends readonly number[]>(options: Options) =>
  z.literal(options, { error: `Must be one of ${options.join(", ")}` });

const { physicalSize } = hardwareLimits;
const GivenDisplay = z.object({
  width: integerWithin(hardwareLimits.side).meta({ description: sides }),
  height: integerWithin(hardwareLimits.side).meta({ description: sides }),
  density: integerWithin(hardwareLimits.density).meta({ description: "Dots per inch" }),
  physical_size: z
    .number()
    .min(physicalSize.min, sayBroken({ says: "tooSmall", min: physicalSize.min }))
    .max(physicalSize.max, sayBroken({ says: "tooLarge", max: physicalSize.max }))
    .nullable()
    .default(null)
    .meta({ description: "The diagonal in inches; null if it follows from the density" }),
  show_navigation_bar: z
    .boolean()
    .optional()
    .meta({ description: "Whether the system draws a navigation bar; by default it does if there are no keys" }),
});

/** A display as it was given: profiles of catalogues, and those of older versions, name only their sizes. */
export type StoredDisplay = z.input<typeof GivenDisplay>;

/** Properties to override; an empty one overrides nothing. Names that are not known are refused. */
const DeviceProperties = z
  .strictObject(
    Object.fromEntries(
      devicePropertyNames.map((name) => [name, ruled(devicePropertyRules[name]).optional()]),
    ) as Record<DeviceProperty, z.ZodOptional<z.ZodString>>,
  )
  .transform((given) =>
    Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1]))),
  );

/** The largest number of displays of any mode; how many a mode has is checked with the mode. */
const MOST_DISPLAYS = 16;

const fields = {
  name: Name,
  form_factor: FormFactor,
  display_mode: z.enum(displayModes),
  display_settings: z.object({
    displays: z.array(GivenDisplay).max(MOST_DISPLAYS),
    hw_navigation_keys: z.boolean().default(false),
  }),
  device_properties: DeviceProperties,
  cpu_count: oneOf(cpuCounts),
  ram_size: oneOf(ramSizes).meta({ description: "MB" }),
  data_disk_size: integerWithin(hardwareLimits.disk).meta({ description: "MB" }),
};

interface Displays {
  display_mode: DisplayMode;
  display_settings: { displays: readonly unknown[] };
}

/** The message about the number of displays, if it does not suit the mode. */
export const displayCountError = ({ display_mode: mode, display_settings: { displays } }: Displays) => {
  const broken = displayCountRule(mode, displays.length);
  return broken && sayBroken(broken);
};

/** Existing clients send no display mode, and may leave out what most devices have in common. */
export const CreateHardwareProfile = z
  .object({
    ...fields,
    form_factor: FormFactor.default("PHONE"),
    display_mode: fields.display_mode.default("REGULAR"),
    device_properties: DeviceProperties.prefault({}),
    cpu_count: fields.cpu_count.default(4),
    ram_size: fields.ram_size.default(4096),
    data_disk_size: fields.data_disk_size.default(16_384),
  })
  .superRefine((profile, { addIssue }) => {
    const message = displayCountError(profile);
    if (message) addIssue({ code: "custom", message, path: ["display_settings", "displays"] });
  });
export type CreateHardwareProfile = z.output<typeof CreateHardwareProfile>;

/** What is left out stays as it is. The server checks the number of displays against what is stored. */
export const EditHardwareProfile = z
  .object({
    ...fields,
    revision: z
      .int()
      .meta({ description: "The revision that was edited; if the profile has another, it stays as it is" }),
  })
  .partial();
export type EditHardwareProfile = z.output<typeof EditHardwareProfile>;

/** Filters a list: the official catalogue, the caller's own rows, or all rows that are not official. */
export const ownedSources = ["all", "official", "owner", "custom"] as const;

export const hardwareProfilesTag = tag("Devices", "Hardware profiles", "Screens, processors and memory of devices.");

export const hardwareProfiles = routes({
  list: {
    method: "GET",
    path: "/v1/hardware-profiles",
    summary: "Hardware profiles",
    access: "member",
    query: Paging.extend({
      search: Search.optional(),
      source: z.enum(ownedSources).default("all"),
      ordering: orderingOf(["name", "updated_at"], "name"),
    }),
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
  create: {
    method: "POST",
    path: "/v1/hardware-profiles",
    summary: "Create a hardware profile",
    access: "member",
    audit: ["hardware_profile.create"],
    body: CreateHardwareProfile,
    status: 201,
    reply: HardwareProfile,
    fails: ["TOO_MANY_HARDWARE_PROFILES"],
  },
  edit: {
    method: "PUT",
    path: "/v1/hardware-profiles/:uuid",
    summary: "Change a hardware profile of yours; what is left out stays as it is",
    access: "member",
    audit: ["hardware_profile.edit"],
    params: ByUuid,
    body: EditHardwareProfile,
    reply: HardwareProfile,
    fails: [
      "HARDWARE_PROFILE_NOT_FOUND",
      "HARDWARE_PROFILE_NOT_ALLOWED",
      "HARDWARE_PROFILE_CHANGED",
      "FORM_FACTOR_MISMATCH",
    ],
  },
  delete: {
    method: "DELETE",
    path: "/v1/hardware-profiles/:uuid",
    summary: "Delete a hardware profile of yours; recipes made of it become incomplete",
    access: "member",
    audit: ["hardware_profile.delete"],
    params: ByUuid,
    status: 204,
    fails: ["HARDWARE_PROFILE_NOT_FOUND", "HARDWARE_PROFILE_NOT_ALLOWED"],
  },
});
