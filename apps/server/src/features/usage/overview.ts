import { type Group, limits, type Offer, type Overview } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { failedMails } from "../../platform/mail/send-mail.ts";
import { spendOf } from "../billing/spend.ts";
import { groupTree } from "../groups/group-tree.ts";
import { leftOn } from "../instances/left-on.ts";
import { countFactorless } from "../second-factor/require.ts";
import { countPeople } from "./overview.store.ts";
import type { UsageDeps } from "./usage.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The part of its allocation from which on a group is listed as nearly used up. */
const NEARLY_USED = 0.8;

export interface OverviewDeps extends Pick<UsageDeps, "db" | "clock"> {
  pagesAt: () => string;
  /** What minutes cost without a plan. */
  offer: Offer;
}

/** What a manager may have to decide, as it is now. */
export async function overviewOf({ db, clock, pagesAt, offer }: OverviewDeps, organization: string): Promise<Overview> {
  const now = clock.now();
  const soon = new Date(now + limits.expiringDays * DAY_MS);
  const { members, mails, ...invitations } = await countPeople(db, organization, { now: new Date(now), soon });
  return {
    people: { count: members, without_second_factor: await countFactorless(db, organization, pagesAt()) },
    invitations: { ...invitations, refused: (await failedMails(db, mails)).size },
    groups: await nearlyUsed(db, organization),
    left_on: await leftOn(db, organization, offer),
    billing: await spendOf({ db, clock, pagesAt, offer }, organization),
  };
}

/** The groups that have most of what they are allocated, the fullest first. */
async function nearlyUsed(db: Database, organization: string): Promise<Overview["groups"]> {
  const flat = (groups: readonly Group[]): Group[] => groups.flatMap((group) => [group, ...flat(group.subgroups)]);
  return flat(await groupTree(db, organization))
    .flatMap(({ uuid, name, running_instances: running, quotas: { group_allocation: allocation } }) =>
      allocation !== null && running > 0 && running >= NEARLY_USED * allocation
        ? [{ uuid, name, running, allocation }]
        : [],
    )
    .toSorted((one, other) => other.running / other.allocation - one.running / one.allocation);
}
