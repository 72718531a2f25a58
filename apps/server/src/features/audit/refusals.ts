import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import { networkOf } from "../../platform/network-of.ts";
import type { Logger } from "../../platform/log.ts";
import type { Act, Audit } from "./audit.ts";
import { type By, byService } from "./by.ts";
import { RefusalBudget } from "./refusal-budget.ts";

const MINUTE_MS = 60_000;

const refusedActions = ["session.open", "credential.use", "route.use"] as const;

/** A request that was refused. */
export interface Refusal {
  action: (typeof refusedActions)[number];
  by: By;
  /** Finds the user whom it concerns; called only if the refusal is recorded. */
  about?: (db: Database) => Promise<{ uuid: string; organization_uuid: string | null } | "" | undefined>;
  details: NonNullable<Act["details"]>;
}

export interface RefusalDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  audit: Audit;
}

/**
 * Records refused requests. No reply waits for it. See `RefusalBudget` for how many of each action are recorded; what is over is counted,
 * and the sums are recorded at the end of the minute. So refusals cause at most some 360 records a minute in each process.
 */
export class Refusals {
  readonly #deps: RefusalDeps;
  readonly #budgets = new Map(refusedActions.map((action) => [action, new RefusalBudget()]));
  readonly #end = new AbortController();
  #minute: Promise<void> | undefined;
  readonly #writing = new Set<Promise<void>>();

  constructor(deps: RefusalDeps) {
    this.#deps = deps;
  }

  note({ action, by, about, details }: Refusal): void {
    this.#minute ??= this.#endMinute();
    if (!this.#budgets.get(action)?.take(networkOf(by.address ?? ""))) return;
    this.#write(async ({ db, audit }) => {
      const user = await about?.(db);
      const subject = user ? { kind: "user" as const, uuid: user.uuid } : undefined;
      const organization = user ? user.organization_uuid : undefined;
      await audit.record(db, by, { action, outcome: "refused", subject, organization, details });
    });
  }

  /** Resolves when everything noted so far is written, the sums of the running minute included. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#minute;
    await Promise.all(this.#writing);
  }

  /** Ends the minute that begins now, or when this is stopped. */
  async #endMinute(): Promise<void> {
    await this.#deps.clock.sleep(MINUTE_MS, this.#end.signal).catch(() => undefined);
    this.#minute = undefined;
    this.#writeSums();
  }

  #writeSums(): void {
    for (const [action, budget] of this.#budgets)
      for (const [network, not_recorded] of budget.next()) {
        const by = network === "" ? byService : { ...byService, address: network };
        this.#write(async ({ db, audit }) =>
          audit.record(db, by, { action, outcome: "refused", details: { not_recorded } }),
        );
      }
  }

  #write(work: (deps: RefusalDeps) => Promise<void>): void {
    const writing: Promise<void> = work(this.#deps)
      .catch((error: unknown) => this.#deps.log.error({ err: error }, "a refusal could not be recorded"))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }
}
