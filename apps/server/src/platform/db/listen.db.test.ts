import { TestClock } from "@terrarium/clock";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { listen, notify } from "./listen.ts";

/** A listener that records messages and reconnections, and can wait for them. */
async function setUp(url: string, channel: string) {
  const clock = new TestClock();
  const stop = new AbortController();
  const events: string[] = [];
  let next = Promise.withResolvers<void>();
  const record = (event: string) => {
    events.push(event);
    next.resolve();
    next = Promise.withResolvers<void>();
  };
  const { stopped } = await listen(url, channel, record, {
    clock,
    signal: stop.signal,
    onReconnect: () => record("reconnected"),
    onConnectionLost: () => record("lost"),
  });
  onTestFinished(async () => {
    stop.abort();
    await stopped;
  });
  const until = async (count: number) => {
    while (events.length < count) await next.promise;
    return events;
  };
  return { clock, events, until, stop, stopped };
}

const cut = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'terrarium-listen' AND datname = current_database()`;
const listeners = sql<{
  n: number;
}>`SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'terrarium-listen' AND datname = current_database()`;

describe("listen", () => {
  it("receives committed messages in order, and none that were rolled back", async () => {
    const { db, url } = await createTestDatabase();
    const { until } = await setUp(url, "plants: new");
    await db.transaction().execute(async (trx) => {
      await notify(trx, "plants: new", "fern");
      await notify(trx, "plants: new", "moss");
      await notify(trx, "other", "stone");
    });
    const undone = db.transaction().execute(async (trx) => {
      await notify(trx, "plants: new", "never");
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await notify(db, "plants: new", "palm");
    expect(await until(3)).toEqual(["fern", "moss", "palm"]);
  });

  it("reconnects after a lost connection, and reports that messages may have been missed", async () => {
    const { db, url } = await createTestDatabase();
    const { clock, until } = await setUp(url, "plants");
    await cut.execute(db);
    expect(await until(1)).toEqual(["lost"]);
    await notify(db, "plants", "missed");
    await clock.advance(100);
    expect(await until(2)).toEqual(["lost", "reconnected"]);
    await notify(db, "plants", "received");
    expect(await until(3)).toEqual(["lost", "reconnected", "received"]);
  });

  it("sends heartbeats", async () => {
    const { db, url } = await createTestDatabase();
    const { clock, until } = await setUp(url, "plants");
    const lastQuery = sql<{
      query: string;
    }>`SELECT query FROM pg_stat_activity WHERE application_name = 'terrarium-listen' AND datname = current_database()`;
    expect((await lastQuery.execute(db)).rows).toEqual([{ query: 'LISTEN "plants"' }]);
    await clock.advance(30_000);
    // The notification arrives after the heartbeat's result.
    await notify(db, "plants", "fern");
    await until(1);
    expect((await lastQuery.execute(db)).rows).toEqual([{ query: "SELECT 1" }]);
  });

  it("has closed its connection when `stopped` resolves", async () => {
    const { db, url } = await createTestDatabase();
    const { stop, stopped, clock, events } = await setUp(url, "plants");
    stop.abort();
    await stopped;
    expect((await listeners.execute(db)).rows).toEqual([{ n: 0 }]);
    expect(clock.sleeping).toBe(0);
    expect(events).toEqual([]);
  });

  it("rejects when it is aborted before it could connect", async () => {
    const stop = new AbortController();
    const clock = new TestClock();
    const options = { clock, signal: stop.signal, onReconnect: () => undefined, onConnectionLost: () => stop.abort() };
    const none = "postgres://nobody:x@localhost:5432/none?host=/nonexistent";
    await expect(listen(none, "plants", () => undefined, options)).rejects.toThrow("aborted");
  });
});
