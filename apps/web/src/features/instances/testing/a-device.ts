import type { Instance } from "@terrarium/contract";
import type { whyNotSavable } from "../save-rules.ts";

type Device = Parameters<typeof whyNotSavable>[0];

export const aPerson = (uuid: string): Instance["owner"] => ({ uuid, email: "", first_name: "", last_name: "" });

/** What the rules read of a device: one of "me", of an official recipe, that is online. */
export const aDevice = (fields: Partial<Device> = {}): Device => ({
  state: "ONLINE",
  owner: aPerson("me"),
  can_save: true,
  recipe: aRecipeOf(null),
  os_image: {
    uuid: "",
    name: "Android 15",
    is_official: true,
    is_beta: false,
    status: "READY",
    arch: "arm64",
    image_version: "",
    os_version: { os_version: "15.0", sdk_version: 35 },
  },
  ...fields,
});

/** Somebody's recipe, or an official one. */
export const aRecipeOf = (
  owner: { uuid: string; organization: string | null } | null,
  fields: Partial<NonNullable<Instance["recipe"]>> = {},
): NonNullable<Instance["recipe"]> => ({
  uuid: "",
  name: "Phone",
  status: "READY",
  revision: 1,
  source: owner ? "CUSTOM" : "DEFAULT",
  owner: owner && { ...aPerson(owner.uuid), organization: owner.organization ? { uuid: owner.organization } : null },
  ova: { name: "", is_official: owner === null },
  items: [{ type: "os_image", uuid: "" }],
  ...fields,
});
