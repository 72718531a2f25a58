import type { Clock } from "@terrarium/clock";
import type { QueryExecutorProvider } from "kysely";
import type { Job } from "./job.ts";
import { addJob } from "./job-rows.ts";

export interface EnqueueOptions {
  /** Makes a repetition do nothing, for as long as the row of the first is kept: at least a week after its end. */
  key?: string;
  /** When it is due, by the clock; now unless said otherwise. */
  dueAt?: Date;
}

/**
 * Asks for a job. With a transaction, in the same breath as the rows that make it necessary: it runs after the commit, at least
 * once, and never without it. False when a job of this name and key was enqueued before.
 * @throws ZodError when the payload does not fit the job.
 */
export async function enqueue<Payload>(
  db: QueryExecutorProvider,
  clock: Clock,
  job: Pick<Job<Payload, never>, "name" | "payload">,
  payload: Payload,
  { key, dueAt }: EnqueueOptions = {},
): Promise<boolean> {
  const now = new Date(clock.now());
  const kept = job.payload.parse(payload);
  return addJob(db, { name: job.name, key: key ?? null, payload: kept, dueAt: dueAt ?? now, now });
}
