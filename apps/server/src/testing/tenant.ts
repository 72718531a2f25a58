import type { Contract } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { moveInstance } from "../features/instances/move-instance.ts";
import type { TestApp } from "./app.ts";
import { aCustom, anOrganization, type OwnedTable } from "./factories.ts";

/** How an organisation gets one more of each noun, by its identifier; or why nothing of it belongs to anybody. */
export type Things = { [Noun in keyof Contract]: (() => Promise<string>) | { nobodys: string } };

/**
 * An organisation with a manager and two users, and ways to make things that belong to its `owner`. All that is written in it
 * has its `marker`, so that whatever shows of it anywhere can be told.
 */
export async function aTenant({ db, as, clock }: TestApp) {
  const marker = `t${randomUUID().replaceAll("-", "")}`;
  const organization = await anOrganization(db, { name: marker, instances_max: 100 });
  const person = (name: string, role: "user" | "manager") =>
    as({ organization, role, fields: { email: `${name}@${marker}.test`, first_name: marker } });
  const owner = await person("owner", "user");
  const manager = await person("manager", "manager");
  const colleague = await person("colleague", "user");

  const copy = (table: OwnedTable, more: object = {}) => aCustom(db, table, owner.user, { name: marker, ...more });
  const hardware = await copy("hardware_profiles");
  const image = await copy("os_images");

  const things: Things = {
    users: async () => owner.user.uuid,
    organizations: async () => organization,
    recipes: () => copy("recipes", { hardware_profile_uuid: hardware, os_image_uuid: image }),
    hardwareProfiles: () => copy("hardware_profiles"),
    osImages: () => copy("os_images"),
    instances: async () => (await owner.start({ instance_name: marker })).json<{ uuid: string }>().uuid,
    apiTokens: async () =>
      (await owner.post("/v1/api-tokens", { description: `${marker} ${randomUUID()}` })).json<{ uuid: string }>().uuid,
    settings: { nobodys: "they are the installation's" },
  };
  return {
    marker,
    organization,
    owner,
    manager,
    colleague,
    things,
    /** One more of a noun that things can belong to somebody of. */
    async make(noun: keyof Contract): Promise<string> {
      const make = things[noun];
      if (typeof make !== "function") throw new Error(`nothing of ${noun} belongs to anybody: ${make.nobodys}`);
      return make();
    },
    /** A device of theirs ends by itself. */
    end: async (uuid: string) => moveInstance(db, { uuid, event: "fail", now: new Date(clock.now()) }),
  };
}

export type Tenant = Awaited<ReturnType<typeof aTenant>>;
