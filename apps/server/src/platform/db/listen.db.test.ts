import { TestClock } from "@terrarium/clock";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { listen, notify } from "./listen.ts";

/** A listener whose messages and reconnections can be awaited one by one. */
async function hear(url: string, channel: string) {
  const clock = new TestClock();
  const stop = new AbortController();
  const heard: string[] = [];
  let next = Promise.withResolvers<void>();
  const tell = (what: string) => {
    heard.push(what);
    next.resolve();
    next = Promise.withResolvers<void>();
  };
  const { stopped } = await listen(url, channel, tell, {
    clock,
    signal: stop.signal,
    onReconnect: () => tell("reconnected"),
    onConnectionLost: () => tell("lost"),
  });
  onTestFinished(async () => {
    stop.abort();
    await stopped;
  });
  const until = async (count: number) => {
    while (heard.length < count) await next.promise;
    return heard;
  };
  return { clock, heard, until, stop, stopped };
}

const cut = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'terrarium-listen' AND datname = current_database()`;
const listeners = sql<{
  n: number;
}>`SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'terrarium-listen' AND datname = current_database()`;

describe("listen", () => {
  it("hears what is committed, in order, and nothing that is rolled back", async () => {
    const { db, url } = await createTestDatabase();
    const { until } = await hear(url, "plants: new");
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

  it("connects again after the connection was cut and says that something may have been missed", async () => {
    const { db, url } = await createTestDatabase();
    const { clock, until } = await hear(url, "plants");
    await cut.execute(db);
    expect(await until(1)).toEqual(["lost"]);
    await notify(db, "plants", "missed");
    await clock.advance(100);
    expect(await until(2)).toEqual(["lost", "reconnected"]);
    await notify(db, "plants", "heard");
    expect(await until(3)).toEqual(["lost", "reconnected", "heard"]);
  });

  it("asks now and then whether the connection is still there", async () => {
    const { db, url } = await createTestDatabase();
    const { clock, until } = await hear(url, "plants");
    const asked = sql<{
      query: string;
    }>`SELECT query FROM pg_stat_activity WHERE application_name = 'terrarium-listen' AND datname = current_database()`;
    expect((await asked.execute(db)).rows).toEqual([{ query: 'LISTEN "plants"' }]);
    await clock.advance(30_000);
    // The answer to a notification comes after the answer to the question.
    await notify(db, "plants", "fern");
    await until(1);
    expect((await asked.execute(db)).rows).toEqual([{ query: "SELECT 1" }]);
  });

  it("is over, with its connection, when `stopped` says so", async () => {
    const { db, url } = await createTestDatabase();
    const { stop, stopped, clock, heard } = await hear(url, "plants");
    stop.abort();
    await stopped;
    expect((await listeners.execute(db)).rows).toEqual([{ n: 0 }]);
    expect(clock.sleeping).toBe(0);
    expect(heard).toEqual([]);
  });

  it("rejects when it is called off before it could connect", async () => {
    const stop = new AbortController();
    const clock = new TestClock();
    const options = { clock, signal: stop.signal, onReconnect: () => undefined, onConnectionLost: () => stop.abort() };
    const none = "postgres://nobody:x@localhost:5432/none?host=/nonexistent";
    await expect(listen(none, "plants", () => undefined, options)).rejects.toThrow("aborted");
  });
});
