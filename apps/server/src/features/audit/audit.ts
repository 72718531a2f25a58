import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import { afterCommit } from "../../platform/db/transaction.ts";
import type { Logger } from "../../platform/log.ts";
import type { AuditAction, AuditOutcome, AuditSubject } from "@terrarium/contract";
import { insertRecords } from "./audit.store.ts";
import type { By } from "./by.ts";

/** What was done, or refused. */
export interface Act {
  action: AuditAction;
  /** `done` by default. */
  outcome?: AuditOutcome;
  subject?: { kind: AuditSubject; uuid: string } | undefined;
  /** Whose managers may read of it; the organization of whoever acts by default. */
  organization?: string | null | undefined;
  /** Never secrets; the database refuses more than 4 KB. */
  details?: Record<string, string | number | boolean | null>;
}

/** The record of who did what: rows that can only be added, and a log line for each. */
export class Audit {
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor({ clock, log }: { clock: Clock; log: Logger }) {
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Records acts. Pass the transaction that performs them, so that neither exists without the other; the lines are logged when it has
   * committed: what was done with level `info`, what was refused with `warn`.
   */
  async record(db: Database, by: By, ...acts: Act[]): Promise<void> {
    if (acts.length === 0) return;
    const at = new Date(this.#clock.now());
    const rows = acts.map((act) => rowOf(at, by, act));
    await insertRecords(
      db,
      rows.map((row) => ({ ...row, details: JSON.stringify(row.details) })),
    );
    afterCommit(db, () => {
      for (const { at: _, ...audit } of rows)
        this.#log[audit.outcome === "done" ? "info" : "warn"]({ audit }, `audit: ${audit.action} ${audit.outcome}`);
    });
  }
}

const rowOf = (at: Date, by: By, { action, outcome = "done", subject, organization, details }: Act) => ({
  at,
  action,
  outcome,
  actor_kind: by.kind,
  actor_uuid: by.user ?? null,
  credential_uuid: by.credential ?? null,
  organization_uuid: organization === undefined ? (by.organization ?? null) : organization,
  subject_kind: subject?.kind ?? null,
  subject_uuid: subject?.uuid ?? null,
  address: by.address ?? null,
  request_id: by.requestId ?? null,
  details: {
    ...details,
    ...(by.account === undefined ? {} : { account: by.account }),
    ...(by.reason === undefined ? {} : { reason: by.reason }),
  },
});
