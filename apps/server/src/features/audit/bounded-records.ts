import type { Clock } from "@terrarium/clock";
import type { AuditAction } from "@terrarium/contract";
import type { Logger } from "../../platform/log.ts";
import { RecordBudget, type RecordLimits } from "./record-budget.ts";

const MINUTE_MS = 60_000;

export interface BoundedRecordsDeps {
  clock: Clock;
  log: Logger;
  /** Of each action. */
  limits: RecordLimits;
  /** Records how many of a source's acts were not, in a minute; see `RecordBudget.next`. */
  writeSum: (action: AuditAction, source: string, notRecorded: number) => Promise<void>;
}

/**
 * Writes records that nobody waits for, each of them up to a budget; what is over is counted, and the sums are written at the end of the
 * minute. Each process has its own.
 */
export class BoundedRecords {
  readonly #deps: BoundedRecordsDeps;
  readonly #budgets = new Map<AuditAction, RecordBudget>();
  readonly #end = new AbortController();
  #minute: Promise<void> | undefined;
  readonly #writing = new Set<Promise<void>>();

  constructor(deps: BoundedRecordsDeps) {
    this.#deps = deps;
  }

  add(action: AuditAction, source: string, write: () => Promise<void>): void {
    this.#minute ??= this.#endMinute();
    const budget = this.#budgets.get(action) ?? new RecordBudget(this.#deps.limits);
    this.#budgets.set(action, budget);
    if (budget.take(source)) this.#write(write);
  }

  /** Resolves when everything added so far is written, the sums of the running minute included. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#minute;
    await Promise.all(this.#writing);
  }

  /** Ends the minute that begins now, or when this is stopped. */
  async #endMinute(): Promise<void> {
    const { clock, writeSum } = this.#deps;
    await clock.sleep(MINUTE_MS, this.#end.signal).catch(() => undefined);
    this.#minute = undefined;
    for (const [action, budget] of this.#budgets)
      for (const [source, count] of budget.next()) this.#write(() => writeSum(action, source, count));
  }

  #write(write: () => Promise<void>): void {
    const writing: Promise<void> = write()
      .catch((error: unknown) => this.#deps.log.error({ err: error }, "an act could not be recorded"))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }
}
