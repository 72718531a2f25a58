import type { JobState } from "@terrarium/contract";
import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import { likeText } from "../db/like-text.ts";

type Db = QueryExecutorProvider;

/** A job as an operator sees it; without its payload, which names customers' things. */
export interface JobRow {
  id: number;
  name: string;
  state: JobState;
  attempts: number;
  created_at: Date;
  /** Null for at once, and for a job that runs or has ended. */
  due_at: Date | null;
  ended_at: Date | null;
  last_error: string | null;
}

export interface JobFilter {
  search?: string | undefined;
  state?: readonly JobState[] | undefined;
  ordering: readonly { field: "id" | "name" | "attempts"; descending: boolean }[];
}

const shownState = sql`CASE WHEN state = 'waiting' THEN CASE WHEN holder IS NULL THEN 'waiting' ELSE 'running' END
  WHEN state = 'done' THEN 'done' WHEN discarded_at IS NULL THEN 'failed' ELSE 'discarded' END`;
const isFailed = sql`state = 'dead' AND discarded_at IS NULL`;

export async function listJobs(
  db: Db,
  { search, state, ordering }: JobFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ count: number; results: JobRow[] }> {
  const wanted: RawBuilder<unknown>[] = [sql`true`];
  if (search) {
    const like = `%${likeText(search)}%`;
    wanted.push(sql`(name ILIKE ${like} OR last_error ILIKE ${like})`);
  }
  if (state) wanted.push(sql`${shownState} = ANY (${state}::text[])`);
  const where = sql.join(wanted, sql` AND `);
  const order = sql.join(
    [...ordering, { field: "id", descending: true }].map(
      ({ field, descending }) => sql`${sql.ref(field)} ${sql.raw(descending ? "DESC" : "ASC")}`,
    ),
  );
  const counted = await sql<{ count: number }>`SELECT count(*) AS count FROM jobs WHERE ${where}`.execute(db);
  const { rows } = await sql<JobRow>`
    SELECT id, name, ${shownState} AS state, attempts, created_at, ended_at, last_error,
      CASE WHEN state = 'waiting' AND holder IS NULL AND due_at > '-infinity' THEN due_at END AS due_at
    FROM jobs WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return { count: counted.rows[0]?.count ?? 0, results: rows };
}

/** How many of each name wait, run, and were given up. Names of which all have ended well are missing. */
export async function countJobs(db: Db): Promise<{ name: string; waiting: number; running: number; failed: number }[]> {
  const { rows } = await sql<{ name: string; waiting: number; running: number; failed: number }>`
    SELECT name, count(*) FILTER (WHERE state = 'waiting' AND holder IS NULL) AS waiting,
      count(*) FILTER (WHERE state = 'waiting' AND holder IS NOT NULL) AS running,
      count(*) FILTER (WHERE ${isFailed}) AS failed
    FROM jobs WHERE state = 'waiting' OR ${isFailed} GROUP BY name ORDER BY name`.execute(db);
  return rows;
}

/** How many jobs are overdue that nobody has claimed, and since when the first of them is. One that was due at once counts from its creation. */
export async function findOverdue(db: Db, now: Date): Promise<{ count: number; since: Date | null }> {
  const { rows } = await sql<{ count: number; since: Date | null }>`
    SELECT count(*) AS count, min(greatest(due_at, created_at)) AS since
    FROM jobs WHERE state = 'waiting' AND holder IS NULL AND due_at <= ${now}`.execute(db);
  return rows[0] ?? { count: 0, since: null };
}

/** Has failed jobs tried again: one, those of a name, or all; returns which. */
export async function retryJobs(
  db: Db,
  which: { id?: number; name?: string | undefined },
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    UPDATE jobs SET state = 'waiting', attempts = 0, due_at = '-infinity', ended_at = NULL, holder = NULL
    WHERE ${isFailed} AND (${which.id ?? null}::bigint IS NULL OR id = ${which.id ?? null})
      AND (${which.name ?? null}::text IS NULL OR name = ${which.name ?? null})
    RETURNING id, name`.execute(db);
  return rows;
}

/**
 * Gives up a job that waits, or notes of one that failed that nothing more is to come of it. Its row stays as long as that of others, so that its key is not
 * used again. Returns undefined if there is no such job, or it runs or has ended well.
 */
export async function discardJob(
  db: Db,
  id: number,
  { at, error }: { at: Date; error: string },
): Promise<{ id: number; name: string } | undefined> {
  const { rows } = await sql<{ id: number; name: string }>`
    UPDATE jobs SET state = 'dead', ended_at = coalesce(ended_at, ${at}), discarded_at = ${at},
      last_error = coalesce(last_error, ${error})
    WHERE id = ${id} AND (${isFailed} OR state = 'waiting' AND holder IS NULL) RETURNING id, name`.execute(db);
  return rows[0];
}
