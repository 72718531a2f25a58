import { architectures } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { stableUuid } from "../../platform/ids.ts";
import { addOrganization } from "./add-organization.ts";
import { insertOwnAccount } from "./own-account.store.ts";

export { deleteEnded as forgetEndedDevices } from "./own-account.store.ts";

/** An account of the service itself, at an address that no mail reaches, to which nobody can sign in, in an organization of its own. */
export interface OwnAccount {
  uuid: string;
  organization: string;
  key: string;
  name: string;
  /** How many devices it may have at once. */
  instancesMax: number;
}

const ownAccount = (key: string, name: string, instancesMax: number): OwnAccount => ({
  uuid: stableUuid(`user:${key}`),
  organization: stableUuid(`organization:${key}`),
  key,
  name,
  instancesMax,
});

/** Whose the device is that the home page shows: there are never two. */
export const showcaseAccount = ownAccount("showcase", "Showcase", 1);
/** Whose devices are that have been started ahead of time. */
export const warmAccount = ownAccount("warm", "Warm devices", 0);

export const ownAccounts: readonly OwnAccount[] = [showcaseAccount, warmAccount];

/** Makes the account, unless it is there. */
export async function addOwnAccount(
  db: Database,
  { uuid, organization, key, name, instancesMax }: OwnAccount,
  now: Date,
): Promise<void> {
  await addOrganization(db, {
    uuid: organization,
    name,
    supported_arch: [...architectures],
    license_type: "metered",
    instances_max: instancesMax,
    created_at: now,
  });
  await insertOwnAccount(db, {
    uuid,
    email: `${key}@terrarium.invalid`,
    organization_uuid: organization,
    is_enabled: false,
    created_at: now,
  });
}
