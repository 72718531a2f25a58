import { sql } from "kysely";
import { expect, vi } from "vitest";
import type { Database } from "../database/schema.ts";

/** Waits until so many queries wait for a lock that another transaction holds. */
export async function untilBlocked(db: Database, count = 1): Promise<void> {
  const blocked = sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  // On a busy machine a password alone takes longer than the usual second.
  await vi.waitFor(async () => expect((await blocked.execute(db)).rows).toHaveLength(count), { timeout: 20_000 });
}
