import { type Answer, AppError, type operator, type Received } from "@terrarium/contract";
import { transaction } from "../../platform/db/transaction.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import { discardJob as discard, listJobs as list, retryJobs as retry } from "../../platform/jobs/operate-jobs.ts";
import type { By } from "../audit/by.ts";
import type { OperateDeps } from "./organizations.ts";

type Routes = typeof operator;

/** A page of the background work. */
export async function listJobs(
  { db }: OperateDeps,
  query: Received<Routes["jobs"]>["query"],
  url: string,
): Promise<Answer<Routes["jobs"]>> {
  const { count, results } = await list(db, query, windowOf(query));
  const jobs = results.map(({ created_at, due_at, ended_at, ...job }) => ({
    ...job,
    created_at: created_at.toISOString(),
    due_at: due_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
  }));
  return pageOf({ count, results: jobs }, query, url);
}

/** Has failed jobs tried again, all or those of a name; returns how many. Each leaves a record of its name. */
export async function retryJobs(deps: OperateDeps, name: string | undefined, by: By): Promise<{ count: number }> {
  return transaction(deps.db, async (trx) => {
    const jobs = await retry(trx, { name });
    const byName = Map.groupBy(jobs, (job) => job.name);
    for (const [job, { length: count }] of byName)
      await deps.audit.record(trx, by, { action: "job.retry", details: { job, count } });
    return { count: jobs.length };
  });
}

/** @throws AppError JOB_NOT_FOUND if it has not failed */
export async function retryJob(deps: OperateDeps, id: number, by: By): Promise<void> {
  await transaction(deps.db, async (trx) => {
    const [job] = await retry(trx, { id });
    if (!job) throw new AppError("JOB_NOT_FOUND");
    await deps.audit.record(trx, by, { action: "job.retry", details: { job: job.name, id } });
  });
}

/** @throws AppError JOB_NOT_FOUND if it runs, has ended well, or was discarded before */
export async function discardJob(deps: OperateDeps, id: number, by: By): Promise<void> {
  await transaction(deps.db, async (trx) => {
    const job = await discard(trx, id, { at: new Date(deps.clock.now()), error: "discarded by the operator" });
    if (!job) throw new AppError("JOB_NOT_FOUND");
    await deps.audit.record(trx, by, { action: "job.discard", details: { job: job.name, id } });
  });
}
