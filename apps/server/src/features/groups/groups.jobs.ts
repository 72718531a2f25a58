import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import type { Audit } from "../audit/audit.ts";
import { byService } from "../audit/by.ts";
import { lockLimits } from "../organizations/limits.ts";
import { addDefaultGroup } from "./default-group.ts";
import { joins } from "./group-users.ts";
import { findWithoutGroups, insertLateMembers, listGroups } from "./groups.store.ts";

const MINUTE_MS = 60_000;

/**
 * Makes up for servers from before there were groups, which may run during an upgrade: gives organizations and members whom they have added
 * the default group. Who was removed from all groups by a manager stays so.
 */
export const joinGroupsLate: Periodic<{ db: Database; clock: Clock; audit: Audit }> = {
  everyMs: MINUTE_MS,
  async run({ db, clock, audit }) {
    for (const organization of await findWithoutGroups(db))
      await transaction(db, async (trx) => {
        // Managers, and other processes that do this, take turns.
        await lockLimits(trx, organization);
        if ((await listGroups(trx, organization)).length === 0)
          await addDefaultGroup(trx, organization, new Date(clock.now()));
        const joined = await insertLateMembers(trx, organization);
        const acts = joined.map((membership) => ({ ...joins(membership), organization }));
        await audit.record(trx, byService, ...acts);
      });
  },
};
