import { randomUUID } from "node:crypto";
import { type Clock, every } from "@terrarium/clock";
import type { QueryExecutorProvider } from "kysely";
import { hideSecrets, type Logger } from "../log.ts";
import { messageOf } from "../message-of.ts";
import { backoffMs, type JobHandler, PermanentError } from "./job.ts";
import { type Claim, claimJobs, delayJob, endJob, listHeldJobs, releaseJob, renewJobs } from "./job-rows.ts";
import { inSpan } from "../tracing/in-span.ts";
import { Sightings } from "../sightings.ts";

const TICK_MS = 1_000;
const MAX_RUNNING = 5;
/** A worker that has not renewed its leases for this long is considered lost. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** How long `stop` waits for running jobs before it aborts them, and how long after that. */
const STOP_TIMEOUT_MS = 10_000;
const ABORT_TIMEOUT_MS = 1_000;
const MAX_ERROR_LENGTH = 500;

export interface WorkerDeps<Deps> {
  db: QueryExecutorProvider;
  clock: Clock;
  log: Logger;
  jobs: readonly JobHandler<Deps>[];
  /** Passed to each job. */
  deps: Deps;
}

interface Running {
  claim: Claim;
  controller: AbortController;
  finished: Promise<void>;
}

/**
 * Runs the jobs that are due by the clock, a few concurrently. Any number of workers may run; a lease gives each job to one of them. The
 * jobs of a killed worker are taken over when its lease lapses. A job with an unknown name waits for a worker that knows it. Leases, and
 * the delays of retries of this worker, do not depend on the system's clock.
 */
export class JobWorker<Deps> {
  readonly #options: WorkerDeps<Deps>;
  readonly #jobs: Map<string, JobHandler<Deps>>;
  readonly #holder = randomUUID();
  readonly #running = new Map<number, Running>();
  /** When this worker's retries are due, by the monotonic clock. */
  readonly #retries = new Map<number, number>();
  readonly #leases: Sightings;
  readonly #end = new AbortController();
  #ticking: Promise<unknown> | undefined;

  constructor(options: WorkerDeps<Deps>) {
    this.#options = options;
    this.#leases = new Sightings(options.clock, LEASE_MS);
    this.#jobs = new Map(options.jobs.map((job) => [job.name, job]));
  }

  start(): void {
    const { clock } = this.#options;
    const { signal } = this.#end;
    this.#ticking = Promise.all([
      every(clock, TICK_MS, () => this.#logErrors(() => this.#claim()), signal),
      every(clock, RENEW_MS, () => this.#logErrors(() => this.#renew()), signal),
    ]);
  }

  /** Runs all due jobs, including those that they enqueue; resolves when none is left. For tests and tools. */
  async runDue(): Promise<void> {
    while ((await this.#claim()) > 0) await this.#finished();
  }

  /** Claims no more jobs and waits for the running ones; those that take too long are aborted and released. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#ticking;
    await this.#finishedWithin(STOP_TIMEOUT_MS);
    for (const { controller } of this.#running.values()) controller.abort(new Error("The worker is stopping"));
    await this.#finishedWithin(ABORT_TIMEOUT_MS);
  }

  async #claim(): Promise<number> {
    const { db, clock } = this.#options;
    const limit = MAX_RUNNING - this.#running.size;
    if (limit <= 0) return 0;
    const lapsed = this.#leases.lasting(await listHeldJobs(db));
    const isDue = (id: number) => (this.#retries.get(id) ?? 0) <= clock.monotonic();
    const retries = Map.groupBy(this.#retries.keys(), isDue);
    const now = clock.now();
    const claims = await claimJobs(db, {
      holder: this.#holder,
      names: [...this.#jobs.keys()],
      except: [...this.#running.keys(), ...(retries.get(false) ?? [])],
      retries: retries.get(true) ?? [],
      lapsed,
      limit,
      now: new Date(now),
      leaseEnd: new Date(now + LEASE_MS),
    });
    // All that are due were claimed: by this worker, or by others.
    if (claims.length < limit) for (const id of retries.get(true) ?? []) this.#retries.delete(id);
    for (const claim of claims) {
      this.#retries.delete(claim.id);
      const controller = new AbortController();
      const finished = this.#run(claim, controller.signal).finally(() => this.#running.delete(claim.id));
      this.#running.set(claim.id, { claim, controller, finished });
    }
    return claims.length;
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return;
    const { db, clock } = this.#options;
    const before = [...this.#running.values()];
    const ids = before.map(({ claim }) => claim.id);
    const own = await renewJobs(db, this.#holder, ids, new Date(clock.now() + LEASE_MS));
    for (const { claim, controller } of before)
      if (!own.has(claim.id)) controller.abort(new Error("Another worker has claimed the job"));
  }

  async #run(claim: Claim, signal: AbortSignal): Promise<void> {
    const outcome = await this.#try(claim, signal).then(
      () => "done" as const,
      (error: unknown) => ({ error }),
    );
    await this.#logErrors(() => this.#record(claim, outcome, signal));
  }

  async #try({ name, payload, attempts }: Claim, signal: AbortSignal): Promise<void> {
    const job = this.#jobs.get(name);
    // Its workers were lost at every attempt, so the job itself probably kills them.
    if (!job || attempts > job.retry.attempts) throw new PermanentError("the worker was lost at the last attempt");
    await inSpan(`job ${name}`, { "terrarium.attempt": attempts }, () =>
      job.handle(this.#options.deps, payload, signal),
    );
  }

  async #record(claim: Claim, outcome: "done" | { error: unknown }, signal: AbortSignal): Promise<void> {
    const { db, clock, log } = this.#options;
    const now = clock.now();
    if (outcome === "done") return endJob(db, claim, { at: new Date(now) });
    if (signal.aborted) return releaseJob(db, claim);
    const { error } = outcome;
    const retry = this.#jobs.get(claim.name)?.retry;
    const words = hideSecrets(messageOf(error)).slice(0, MAX_ERROR_LENGTH);
    const facts = { job: claim.name, id: claim.id, attempts: claim.attempts, err: error };
    if (!retry || error instanceof PermanentError || claim.attempts >= retry.attempts) {
      log.error(facts, "a job failed permanently");
      return endJob(db, claim, { at: new Date(now), error: words });
    }
    log.warn(facts, "a job failed and will be retried");
    const delayMs = backoffMs(retry, claim.attempts);
    await delayJob(db, claim, { dueAt: new Date(now + delayMs), error: words });
    this.#retries.set(claim.id, clock.monotonic() + delayMs);
  }

  /** The database may be unavailable for a while: the next tick tries again, and jobs whose lease lapses go to any worker. */
  async #logErrors(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) =>
      this.#options.log.error({ err: error }, "the job queue could not be read or updated"),
    );
  }

  #finished(): Promise<unknown> {
    return Promise.all([...this.#running.values()].map(({ finished }) => finished));
  }

  async #finishedWithin(ms: number): Promise<void> {
    const timer = new AbortController();
    const timeout = this.#options.clock.sleep(ms, timer.signal).catch(() => undefined);
    await Promise.race([this.#finished(), timeout]);
    timer.abort();
  }
}
