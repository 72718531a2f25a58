import type { Database } from "../../database/schema.ts";
import { servedZone } from "../instances/gateways.ts";
import { addOwnAccount, showcaseAccount } from "../organizations/own-account.ts";
import { setOrganization, zoneOf } from "../organizations/organizations.ts";
import type { Actor } from "../sessions/actor.ts";

const { organization } = showcaseAccount;

export const showcaseOwner = showcaseAccount.uuid;

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

/** Makes the account, unless it is there. It moves to where gateways are, as it may be made before the first of them is up. */
export async function addShowcaseOwner(db: Database, now: Date): Promise<void> {
  await addOwnAccount(db, showcaseAccount, now);
  await setOrganization(db, organization, { zone: await servedZone(db, await zoneOf(db, organization)) });
}
