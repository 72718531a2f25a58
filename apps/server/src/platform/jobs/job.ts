import { z } from "zod";

/** How many times a job is attempted, and the delay between attempts: `firstMs`, doubled each time up to `longestMs`. */
export interface Retry {
  attempts: number;
  firstMs: number;
  longestMs: number;
}

/** Eight attempts over about two hours. */
const DEFAULT_RETRY: Retry = { attempts: 8, firstMs: 60_000, longestMs: 3_600_000 };

/** A job as the worker sees it: it can be run with a payload from the database. */
export interface JobHandler<Deps> {
  /** Its name in the database. Never change it: rows outlive a release. */
  name: string;
  retry: Retry;
  handle: (deps: Deps, payload: unknown, signal: AbortSignal) => Promise<void>;
}

/** A job as a feature sees it: it can be enqueued with a payload. */
export interface Job<Payload, Deps> extends JobHandler<Deps> {
  payload: z.ZodType<Payload>;
}

export interface JobDefinition<Payload, Deps> {
  name: string;
  /** Must be serialisable as JSON. Hold ids rather than rows, which may change before the job runs. */
  payload: z.ZodType<Payload>;
  retry?: Partial<Retry>;
  /**
   * Does the work. It may run more than once: a worker may be killed after the work and before it is recorded. When this throws,
   * the job is retried, unless it throws a PermanentError. The signal aborts when the worker stops or has lost the job.
   */
  run: (deps: Deps, payload: Payload, signal: AbortSignal) => Promise<void>;
}

/** Defines background work, which the feature enqueues and the `jobs` role runs; `roles/jobs.ts` must list it. */
export function defineJob<Payload, Deps>(job: JobDefinition<Payload, Deps>): Job<Payload, Deps> {
  const { name, payload, run } = job;
  return {
    name,
    payload,
    retry: { ...DEFAULT_RETRY, ...job.retry },
    async handle(deps, json, signal) {
      const parsed = payload.safeParse(json);
      if (!parsed.success) throw new PermanentError(`the payload is not valid: ${z.prettifyError(parsed.error)}`);
      await run(deps, parsed.data, signal);
    },
  };
}

/** A failure that a retry would not help: a rejected address, an invalid payload. */
export class PermanentError extends Error {
  override name = "PermanentError";
}

/** The delay after the given number of attempts, in milliseconds. */
export function backoffMs({ firstMs, longestMs }: Retry, attempts: number): number {
  return Math.min(firstMs * 2 ** (attempts - 1), longestMs);
}
