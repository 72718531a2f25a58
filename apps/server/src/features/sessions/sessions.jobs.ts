import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import type { Act, Audit } from "../audit/audit.ts";
import { byService } from "../audit/by.ts";
import { deleteSessionsEndedBefore, endSessionsBegunBy, endSessionsTooLong } from "./sessions.store.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Sessions that ended stay this long, for whoever looks into what happened. */
const SESSION_RETENTION_MS = 30 * DAY_MS;

/** Nobody stays signed in for longer, however often the token is renewed. */
const SESSION_LIFE_MS = 30 * DAY_MS;

/** Ends sessions that are as old as one may get, also by the rule of an organization, which refuses their tokens from the moment itself, and what was opened with them. */
export const endOldSessions: Periodic<{ db: Database; clock: Clock; audit: Audit }> = {
  everyMs: HOUR_MS,
  async run({ db, clock, audit }) {
    const now = clock.now();
    await transaction(db, async (trx) => {
      const ended = [
        ...(await endSessionsBegunBy(trx, new Date(now - SESSION_LIFE_MS), new Date(now))),
        ...(await endSessionsTooLong(trx, new Date(now))),
      ];
      const acts = ended.map(({ uuid, organization_uuid }): Act => ({
        action: "session.end",
        subject: { kind: "session", uuid },
        organization: organization_uuid,
        details: { reason: "age" },
      }));
      await audit.record(trx, byService, ...acts);
    });
  },
};

/** Removes sessions that ended long ago. */
export const forgetOldSessions: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: HOUR_MS,
  run: ({ db, clock }) => deleteSessionsEndedBefore(db, new Date(clock.now() - SESSION_RETENTION_MS)),
};
