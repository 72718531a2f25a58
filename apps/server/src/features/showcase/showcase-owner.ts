import { architectures } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { stableUuid } from "../../platform/ids.ts";
import { servedZone } from "../instances/gateways.ts";
import { addOrganization } from "../organizations/add-organization.ts";
import { setOrganization, zoneOf } from "../organizations/organizations.ts";
import type { Actor } from "../sessions/actor.ts";
import { insertOwner } from "./showcase.store.ts";

const organization = stableUuid("organization:showcase");

/** Whose device the showcase is: the service's own account, at an address that no mail reaches, to which nobody can sign in. */
export const showcaseOwner = stableUuid("user:showcase");

/** As who the device is started. */
export const showcaseActor: Actor = {
  uuid: showcaseOwner,
  organization,
  isManager: false,
  isOperator: false,
  hasAcceptedTerms: true,
  session: undefined,
  credential: showcaseOwner,
  scope: "devices",
};

/**
 * Makes the account, unless it is there, in an organization that may have one device: so there are never two. It moves to where gateways are,
 * as it may be made before the first of them is up.
 */
export async function addShowcaseOwner(db: Database, now: Date): Promise<void> {
  await addOrganization(db, {
    uuid: organization,
    name: "Showcase",
    supported_arch: [...architectures],
    license_type: "metered",
    instances_max: 1,
    created_at: now,
  });
  await setOrganization(db, organization, { zone: await servedZone(db, await zoneOf(db, organization)) });
  await insertOwner(db, {
    uuid: showcaseOwner,
    email: "showcase@terrarium.invalid",
    organization_uuid: organization,
    is_enabled: false,
    created_at: now,
  });
}
