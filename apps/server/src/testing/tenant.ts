import type { Contract } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { moveInstance } from "../features/instances/move-instance.ts";
import type { TestApp } from "./app.ts";
import { aCustom, anOrganization, type OwnedTable } from "./factories.ts";

/** Creates an item of each noun for an organization and returns its identifier; `notOwned` says why a noun belongs to none. */
export type Factories = { [Noun in keyof Contract]: (() => Promise<string>) | { notOwned: string } };

/**
 * An organization with a manager and two users, and factories for items that belong to its `owner`. All of its texts contain `marker`, so
 * that a leak anywhere can be recognised.
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

  const factories: Factories = {
    users: async () => owner.user.uuid,
    organizations: async () => organization,
    recipes: () => copy("recipes", { hardware_profile_uuid: hardware, os_image_uuid: image }),
    hardwareProfiles: () => copy("hardware_profiles"),
    osImages: () => copy("os_images"),
    instances: async () => (await owner.start({ instance_name: marker })).json<{ uuid: string }>().uuid,
    apiTokens: async () =>
      (await owner.post("/v1/api-tokens", { description: `${marker} ${randomUUID()}` })).json<{ uuid: string }>().uuid,
    settings: { notOwned: "they belong to the installation" },
  };
  return {
    marker,
    organization,
    owner,
    manager,
    colleague,
    factories,
    /** Creates an item of a noun that an organization can own. */
    async make(noun: keyof Contract): Promise<string> {
      const create = factories[noun];
      if (typeof create !== "function") throw new Error(`${noun} are not owned: ${create.notOwned}`);
      return create();
    },
    /** Makes a device end by itself. */
    end: async (uuid: string) => moveInstance(db, { uuid, event: "fail", now: new Date(clock.now()) }),
  };
}

export type Tenant = Awaited<ReturnType<typeof aTenant>>;
