import { z } from "zod";

/** What existing clients read of the things of the API, which is less than there is. */

const text = z.string().min(1);
const uuid = z.uuid();
const owner = z.looseObject({ email: text });
export const refusal = (code: string) => z.looseObject({ code: z.literal(code), message: text });

const displayed = { width: z.int(), height: z.int(), density: z.int() };
const hardware = {
  uuid,
  name: text,
  is_official: z.boolean(),
  form_factor: text,
  cpu_count: z.int(),
  ram_size: z.int(),
  data_disk_size: z.int(),
};
export const hardwareProfile = z.looseObject({
  ...hardware,
  owner: owner.nullable(),
  display_settings: z.looseObject({
    displays: z.array(z.looseObject(displayed)).min(1),
    hw_navigation_keys: z.boolean(),
  }),
});

const image = {
  uuid,
  name: text,
  is_official: z.boolean(),
  is_beta: z.boolean(),
  status: text,
  arch: z.enum(["x86", "x86_64", "arm64"]),
  image_version: text,
  os_version: z.looseObject({ os_version: text, sdk_version: z.int() }),
};
export const osImage = z.looseObject({
  ...image,
  owner: owner.nullable(),
  supported_form_factors: z.array(text).min(1),
});

/** That of an official recipe is not asked for its owner. */
export const recipe = z
  .looseObject({ uuid, name: text, is_official: z.boolean(), owner: owner.nullable(), share: z.unknown() })
  .refine(({ is_official, owner: by }) => is_official || by !== null, "needs an owner")
  .and(z.looseObject({ hardware_profile: hardwareProfile, os_image: osImage }));

/** The states that command lines know; they take no notice of others. */
const states = [
  "CREATING",
  "OFFLINE",
  "STARTING",
  "BOOTING",
  "ONLINE",
  "SAVING",
  "SAVED",
  "STOPPING",
  "DELETING",
  "DELETED",
  "MAINTENANCE",
  "RECYCLED",
  "ERROR",
] as const;
export const socket = z.url({ protocol: /^wss?$/ });

/** Unlike in a recipe, width, height and keys are flat here. */
export const instance = z.looseObject({
  uuid,
  name: text,
  state: z.enum(states),
  created_at: z.iso.datetime(),
  timeouts: z.looseObject({ global: z.int(), inactivity: z.int() }),
  webrtc_url: socket,
  file_upload_url: socket,
  adb_url: socket,
  recipe: z.looseObject({ uuid, name: text, owner: owner.nullable() }).nullable(),
  hardware_profile: z.looseObject({ ...hardware, ...displayed, hw_navigation_keys: z.boolean() }),
  os_image: z.looseObject(image),
});
export const instanceIn = (state: (typeof states)[number]) => instance.extend({ state: z.literal(state) });

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({ count: z.int().min(1), next: z.url().nullable(), results: z.array(item).min(1) });
