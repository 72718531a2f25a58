import { z } from "zod";

/** How often a job is tried, and how long it waits between: `firstMs`, doubled each time up to `longestMs`. */
export interface Retry {
  attempts: number;
  firstMs: number;
  longestMs: number;
}

/** Eight tries over about two hours. */
const USUAL_RETRY: Retry = { attempts: 8, firstMs: 60_000, longestMs: 3_600_000 };

/** A job as the worker sees it: it can be run with what the database kept. */
export interface JobHandler<Deps> {
  /** Its name in the database. Rows outlive the program, so it is never changed. */
  name: string;
  retry: Retry;
  handle: (deps: Deps, kept: unknown, signal: AbortSignal) => Promise<void>;
}

/** A job as a feature sees it: it can be enqueued with a payload. */
export interface Job<Payload, Deps> extends JobHandler<Deps> {
  payload: z.ZodType<Payload>;
}

export interface JobDefinition<Payload, Deps> {
  name: string;
  /** What JSON can carry; ids rather than rows, for a row may change until the job runs. */
  payload: z.ZodType<Payload>;
  retry?: Partial<Retry>;
  /**
   * Does the work, at least once: a worker that is killed may have done it and not said so. It is tried again when this throws,
   * never again when it throws a PermanentError. The signal aborts when the work has to be left to another worker.
   */
  run: (deps: Deps, payload: Payload, signal: AbortSignal) => Promise<void>;
}

/** Background work as a value: enqueued by the feature that declares it, run by the `jobs` role, which lists it. */
export function defineJob<Payload, Deps>(job: JobDefinition<Payload, Deps>): Job<Payload, Deps> {
  const { name, payload, run } = job;
  return {
    name,
    payload,
    retry: { ...USUAL_RETRY, ...job.retry },
    async handle(deps, kept, signal) {
      const read = payload.safeParse(kept);
      if (!read.success) throw new PermanentError(`the payload does not fit: ${z.prettifyError(read.error)}`);
      await run(deps, read.data, signal);
    },
  };
}

/** Trying again would not help: a refused address, a payload that makes no sense. */
export class PermanentError extends Error {
  override name = "PermanentError";
}

/** How long to wait after so many tries, in milliseconds. */
export function backoffMs({ firstMs, longestMs }: Retry, attempts: number): number {
  return Math.min(firstMs * 2 ** (attempts - 1), longestMs);
}
