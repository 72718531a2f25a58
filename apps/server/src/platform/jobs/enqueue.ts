import type { Clock } from "@terrarium/clock";
import type { QueryExecutorProvider } from "kysely";
import type { Job } from "./job.ts";
import { addJob } from "./job-rows.ts";

export interface EnqueueOptions {
  /** A job with the same name and key is enqueued once, for as long as the first one's row exists: at least a week after it ended. */
  key?: string;
  /** When it is due, by the injected clock; by default at once, whatever the clocks of other processes say. */
  dueAt?: Date;
}

/**
 * Enqueues a job. In a transaction, it is committed with the rows that make it necessary: it then runs at least once, after the
 * commit and never without it. Returns false when a job with this name and key exists already.
 * @throws ZodError when the payload does not match the job's schema.
 */
export async function enqueue<Payload>(
  db: QueryExecutorProvider,
  clock: Clock,
  job: Pick<Job<Payload, never>, "name" | "payload">,
  payload: Payload,
  { key, dueAt }: EnqueueOptions = {},
): Promise<boolean> {
  const now = new Date(clock.now());
  const parsed = job.payload.parse(payload);
  return addJob(db, { name: job.name, key: key ?? null, payload: parsed, dueAt, now });
}
