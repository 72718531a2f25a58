import type { Clock } from "@terrarium/clock";
import type { AuditAction } from "@terrarium/contract";
import type { Logger } from "../../platform/log.ts";
import { RecordBudget, type RecordLimits } from "./record-budget.ts";

const MINUTE_MS = 60_000;

export interface BoundedRecordsDeps {
  clock: Clock;
  log: Logger;
  /** Of each action in each pool. */
  limits: RecordLimits;
  /** Records how many of a source's acts were not, in a minute; see `RecordBudget.notRecorded`. */
  writeSum: (action: AuditAction, source: string, notRecorded: number, pool: string) => Promise<void>;
}

/**
 * Writes records that nobody waits for, each of them up to a budget; what is over is counted, and the sums are written at the end of the
 * minute. Each process has its own.
 */
export class BoundedRecords {
  readonly #deps: BoundedRecordsDeps;
  #budgets = new Map<string, { action: AuditAction; pool: string; budget: RecordBudget }>();
  readonly #end = new AbortController();
  #minute: Promise<void> | undefined;
  readonly #writing = new Set<Promise<void>>();

  constructor(deps: BoundedRecordsDeps) {
    this.#deps = deps;
  }

  /** Acts of one pool take nothing from the budget of another. */
  add(action: AuditAction, source: string, write: () => Promise<void>, pool = ""): void {
    this.#minute ??= this.#endMinute();
    const key = `${action} ${pool}`;
    const of = this.#budgets.get(key) ?? { action, pool, budget: new RecordBudget(this.#deps.limits) };
    this.#budgets.set(key, of);
    if (of.budget.take(source)) this.#write(write);
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
    const ended = this.#budgets;
    this.#budgets = new Map();
    for (const { action, pool, budget } of ended.values())
      for (const [source, count] of budget.notRecorded()) this.#write(() => writeSum(action, source, count, pool));
  }

  #write(write: () => Promise<void>): void {
    const writing: Promise<void> = write()
      .catch((error: unknown) => this.#deps.log.error({ err: error }, "an act could not be recorded"))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }
}
