import { randomUUID } from "node:crypto";
import { type Clock, every } from "@terrarium/clock";
import type { QueryExecutorProvider } from "kysely";
import { hideSecrets, type Logger } from "../log.ts";
import { messageOf } from "../message-of.ts";
import { backoffMs, type JobHandler, PermanentError } from "./job.ts";
import { type Claim, claimJobs, delayJob, endJob, giveBackJob, renewJobs } from "./job-rows.ts";

const TICK_MS = 1_000;
const AT_ONCE = 5;
/** A worker that has not said so for this long is not at work any more. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** How long a stop waits for what runs, and then for that to notice that it was told to stop. */
const STOP_MS = 10_000;
const LEAVE_MS = 1_000;
const MAX_ERROR_LENGTH = 500;

export interface WorkerDeps<Deps> {
  db: QueryExecutorProvider;
  clock: Clock;
  log: Logger;
  jobs: readonly JobHandler<Deps>[];
  /** What the jobs are run with. */
  deps: Deps;
}

interface Running {
  claim: Claim;
  leave: AbortController;
  over: Promise<void>;
}

/**
 * Runs the jobs that are due by the clock, a few at once. Any number of workers may: each job is with one of them. What a killed
 * worker had is taken over when its lease ends. A job whose name it does not know waits for a worker that does.
 */
export class JobWorker<Deps> {
  readonly #options: WorkerDeps<Deps>;
  readonly #jobs: Map<string, JobHandler<Deps>>;
  readonly #holder = randomUUID();
  readonly #running = new Map<number, Running>();
  readonly #end = new AbortController();
  #ticking: Promise<unknown> | undefined;

  constructor(options: WorkerDeps<Deps>) {
    this.#options = options;
    this.#jobs = new Map(options.jobs.map((job) => [job.name, job]));
  }

  start(): void {
    const { clock } = this.#options;
    const { signal } = this.#end;
    this.#ticking = Promise.all([
      every(clock, TICK_MS, () => this.#attempt(() => this.#take()), signal),
      every(clock, RENEW_MS, () => this.#attempt(() => this.#renew()), signal),
    ]);
  }

  /** Runs whatever is due now and what becomes due by that; resolves when nothing is left. For tests and tools. */
  async runDue(): Promise<void> {
    while ((await this.#take()) > 0) await this.#settled();
  }

  /** Takes no more, waits for what runs, and tells that to leave off when it takes too long. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#ticking;
    await this.#settledWithin(STOP_MS);
    for (const { leave } of this.#running.values()) leave.abort(new Error("The worker stops"));
    await this.#settledWithin(LEAVE_MS);
  }

  async #take(): Promise<number> {
    const { db, clock } = this.#options;
    const limit = AT_ONCE - this.#running.size;
    if (limit <= 0) return 0;
    const now = clock.now();
    const claims = await claimJobs(db, {
      holder: this.#holder,
      names: [...this.#jobs.keys()],
      except: [...this.#running.keys()],
      limit,
      now: new Date(now),
      leaseEnd: new Date(now + LEASE_MS),
    });
    for (const claim of claims) {
      const leave = new AbortController();
      const over = this.#run(claim, leave.signal).finally(() => this.#running.delete(claim.id));
      this.#running.set(claim.id, { claim, leave, over });
    }
    return claims.length;
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return;
    const { db, clock } = this.#options;
    const before = [...this.#running.values()];
    const own = await renewJobs(db, this.#holder, new Date(clock.now() + LEASE_MS));
    for (const { claim, leave } of before)
      if (!own.has(claim.id)) leave.abort(new Error("Another worker has taken the job"));
  }

  async #run(claim: Claim, signal: AbortSignal): Promise<void> {
    const outcome = await this.#try(claim, signal).then(
      () => "done" as const,
      (error: unknown) => ({ error }),
    );
    await this.#attempt(() => this.#settle(claim, outcome, signal));
  }

  async #try({ name, payload, attempts }: Claim, signal: AbortSignal): Promise<void> {
    const job = this.#jobs.get(name);
    // Its workers were lost again and again: it is likely what kills them.
    if (!job || attempts > job.retry.attempts) throw new PermanentError("the worker was lost at the last attempt");
    await job.handle(this.#options.deps, payload, signal);
  }

  async #settle(claim: Claim, outcome: "done" | { error: unknown }, signal: AbortSignal): Promise<void> {
    const { db, clock, log } = this.#options;
    const now = clock.now();
    if (outcome === "done") return endJob(db, claim, { at: new Date(now) });
    if (signal.aborted) return giveBackJob(db, claim, new Date(now));
    const { error } = outcome;
    const retry = this.#jobs.get(claim.name)?.retry;
    const words = hideSecrets(messageOf(error)).slice(0, MAX_ERROR_LENGTH);
    const facts = { job: claim.name, id: claim.id, attempts: claim.attempts, err: error };
    if (!retry || error instanceof PermanentError || claim.attempts >= retry.attempts) {
      log.error(facts, "a job failed for good");
      return endJob(db, claim, { at: new Date(now), error: words });
    }
    log.warn(facts, "a job failed; it is tried again");
    await delayJob(db, claim, { dueAt: new Date(now + backoffMs(retry, claim.attempts)), error: words });
  }

  /** The database may be away for a while: the next tick tries again, and a lease that ended gives the job to whoever comes. */
  async #attempt(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => this.#options.log.error({ err: error }, "jobs could not be looked after"));
  }

  #settled(): Promise<unknown> {
    return Promise.all([...this.#running.values()].map(({ over }) => over));
  }

  async #settledWithin(ms: number): Promise<void> {
    const settled = new AbortController();
    const late = this.#options.clock.sleep(ms, settled.signal).catch(() => undefined);
    await Promise.race([this.#settled(), late]);
    settled.abort();
  }
}
