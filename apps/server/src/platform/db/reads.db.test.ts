import { sql } from "kysely";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { isUnavailable } from "./database-errors.ts";
import { Reads, type ReadsOptions } from "./reads.ts";
import { transaction } from "./transaction.ts";

const PID = "SELECT pg_backend_pid() AS pid";
const ONE = "SELECT 1 AS n";

/** From now on, what waits for a time waits until it is advanced. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

async function aReader(options: Partial<ReadsOptions> = {}) {
  const { db, url } = await createTestDatabase();
  const reads = new Reads(url, { max: 1, ...options });
  onTestFinished(() => reads.stop());
  const ask = async (value: number) => (await reads.query<{ n: number }>("SELECT $1::int AS n", [value]))[0]?.n;
  return { db, reads, ask };
}

describe("Reads", () => {
  it("returns the rows of each read, also when many are sent together", async () => {
    const { ask } = await aReader();
    const all = Array.from({ length: 50 }, (_, n) => n);
    expect(await Promise.all(all.map(ask))).toEqual(all);
  });

  it("prepares a statement once, for any values", async () => {
    const { reads, ask } = await aReader();
    await ask(1);
    await ask(2);
    const plans = "SELECT generic_plans::int, custom_plans::int FROM pg_prepared_statements WHERE statement = $1";
    expect(await reads.query(plans, ["SELECT $1::int AS n"])).toEqual([{ generic_plans: 2, custom_plans: 0 }]);
  });

  it("calls a values function when the read is sent", async () => {
    const { reads } = await aReader();
    const numbers = [1];
    const result = reads.query("SELECT unnest($1::int[]) AS n", () => [numbers]);
    numbers.push(2);
    expect(await result).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("isolates a failure from other reads that are sent together", async () => {
    const { reads, ask } = await aReader();
    const noValues = () => {
      throw new Error("no values");
    };
    const together = await Promise.allSettled([
      reads.query("SELECT 1 / $1::int", [0]),
      ask(1),
      reads.query("SELECT 1", noValues),
      ask(2),
    ]);
    expect(together).toMatchObject([
      { reason: { message: "division by zero" } },
      { value: 1 },
      { reason: { message: "no values" } },
      { value: 2 },
    ]);
  });

  it("cannot write", async () => {
    const { db, reads } = await aReader();
    await sql`CREATE TABLE plants (name text)`.execute(db);
    await expect(reads.query("INSERT INTO plants VALUES ($1) RETURNING name", ["fern"])).rejects.toThrow("read-only");
  });

  it("recovers from a lost connection", async () => {
    const { db, reads, ask } = await aReader();
    const [backend] = await reads.query<{ pid: number }>("SELECT pg_backend_pid() AS pid", []);
    const [cut] = await Promise.allSettled([
      reads.query("SELECT pg_sleep($1)", [60]),
      sql`SELECT pg_terminate_backend(${backend?.pid})`.execute(db),
    ]);
    expect(cut).toMatchObject({ status: "rejected" });
    expect(await ask(1)).toBe(1);
  });

  it("answers as before once a column has changed its type, and plans anew", async () => {
    const { db, reads } = await aReader();
    const names = () => Promise.all([1, 2].map(() => reads.query("SELECT name FROM plants", [])));
    await sql`CREATE TABLE plants (name text)`.execute(db);
    await sql`INSERT INTO plants VALUES ('fern')`.execute(db);
    await names();
    await sql`ALTER TABLE plants ALTER name TYPE varchar(20)`.execute(db);
    expect(await names()).toEqual([[{ name: "fern" }], [{ name: "fern" }]]);
    const plans =
      "SELECT generic_plans::int FROM pg_prepared_statements WHERE statement = $1 ORDER BY prepare_time DESC";
    await names();
    expect((await reads.query(plans, ["SELECT name FROM plants"]))[0]).toEqual({ generic_plans: 4 });
  });

  it("gives up a connection on which no answer comes, and asks on a new one", async () => {
    const { reads, ask } = await aReader({ answerTimeoutMs: 200 });
    const unanswered = await reads.query("SELECT pg_sleep($1)", [5]).catch((error: unknown) => error);
    expect(unanswered).toMatchObject({ message: "Query read timeout" });
    expect(isUnavailable(unanswered)).toBe(true);
    expect(await ask(1)).toBe(1);
  });

  describe("of those that go first", () => {
    const HELD = "SELECT pg_advisory_xact_lock_shared(1)";

    /** Reads of `HELD` wait until it is released. */
    async function aHeldReader(options: Partial<ReadsOptions> = {}) {
      const { db, reads } = await aReader(options);
      const held = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const holder = transaction(db, async (trx) => {
        await sql`SELECT pg_advisory_xact_lock(1)`.execute(trx);
        held.resolve();
        await release.promise;
      });
      await held.promise;
      return { reads, release: () => (release.resolve(), holder) };
    }
    /** Asks, and resolves when the read is sent. */
    const sent = async (ask: (values: () => unknown[]) => Promise<unknown>) => {
      const asked = Promise.withResolvers<void>();
      const answer = ask(() => (asked.resolve(), []));
      await asked.promise;
      return { answer };
    };

    it("sends them before the others, on the same connection", async () => {
      const { reads, ask } = await aReader();
      await ask(1);
      const answers: unknown[] = [];
      const note = async (who: string, rows: Promise<unknown[]>) => answers.push([who, ...(await rows)]);
      await Promise.all([note("other", reads.query(PID, [])), note("first", reads.first.query(PID, []))]);
      const [[, pid]] = answers as [unknown[]];
      expect(answers).toEqual([
        ["first", pid],
        ["other", pid],
      ]);
    });

    it("does not let them wait for a slow read", async () => {
      const { reads, release } = await aHeldReader();
      const { answer } = await sent((values) => reads.query(HELD, values));
      expect(await reads.first.query(ONE, [])).toEqual([{ n: 1 }]);
      await release();
      await answer;
    });

    it("does not let them wait until a connection opens for the others", async () => {
      const { reads, release } = await aHeldReader({ max: 2 });
      const { answer } = await sent((values) => reads.query(HELD, values));
      const own = await reads.first.query(PID, []);
      const [opened, first] = await Promise.all([reads.query(PID, []), reads.first.query(PID, [])]);
      expect(first).toEqual(own);
      expect(opened).not.toEqual(own);
      await release();
      await answer;
    });

    it("keeps a connection open for them", async () => {
      const { reads } = await aReader();
      const own = await reads.first.query(PID, []);
      holdTime();
      await reads.first.query(PID, []);
      await setImmediate();
      vi.advanceTimersByTime(10_000);
      expect(await reads.first.query(PID, [])).toEqual(own);
    });

    it("does not reject them when the others get no connection", async () => {
      const { reads, release } = await aHeldReader();
      const { answer } = await sent((values) => reads.query(HELD, values));
      await reads.first.query(ONE, []);
      holdTime();
      const late = reads.query(ONE, []).catch((error: unknown) => error);
      await setImmediate();
      const { answer: hanging } = await sent((values) => reads.first.query(HELD, values));
      const next = reads.first.query(ONE, []);
      await setImmediate();
      vi.advanceTimersByTime(5_000);
      expect(await late).toMatchObject({ message: "timeout exceeded when trying to connect" });
      expect(await next).toEqual([{ n: 1 }]);
      await release();
      await Promise.all([answer, hanging]);
    });

    it("collects the next reads until they are answered", async () => {
      const { reads, release } = await aHeldReader({ max: 2 });
      holdTime();
      const { answer } = await sent((values) => reads.first.query(HELD, values));
      let isSent = false;
      const next = reads.query(ONE, () => ((isSent = true), []));
      // Meanwhile another reader has opened a connection and was answered.
      expect(await (await aReader()).ask(1)).toBe(1);
      expect(isSent).toBe(false);
      await release();
      await answer;
      expect(await next).toEqual([{ n: 1 }]);
    });

    it("collects the next reads for a moment only when they hang", async () => {
      const { reads, release } = await aHeldReader();
      const { answer } = await sent((values) => reads.query(HELD, values));
      holdTime();
      const { answer: hanging } = await sent((values) => reads.first.query(HELD, values));
      const next = reads.first.query(ONE, []);
      await setImmediate();
      vi.advanceTimersByTime(100);
      expect(await next).toEqual([{ n: 1 }]);
      await release();
      await Promise.all([answer, hanging]);
    });

    it("rejects them with the others when there is no database", async () => {
      const reads = new Reads("postgres://nobody@127.0.0.1:1/none", { max: 1 });
      onTestFinished(() => reads.stop());
      const asked = [reads.query("SELECT 1", []), reads.first.query("SELECT 1", [])];
      for (const { status } of await Promise.allSettled(asked)) expect(status).toBe("rejected");
    });
  });

  it("sends each statement on a connection of its own while several are idle", async () => {
    const { reads } = await aReader({ max: 2 });
    const opened = Promise.withResolvers<unknown>();
    await reads.query(PID, () => (opened.resolve(reads.query(PID, [])), []));
    await opened.promise;
    const pids = await Promise.all([PID, `${PID} `, PID].map((text) => reads.query(text, [])));
    expect(pids[0]).toEqual(pids[2]);
    expect(pids[0]).not.toEqual(pids[1]);
  });

  it("rejects when there is no database, and tries again the next time", async () => {
    const reads = new Reads("postgres://nobody@127.0.0.1:1/none", { max: 1 });
    onTestFinished(() => reads.stop());
    for (let tries = 0; tries < 2; tries++) await expect(reads.query("SELECT 1", [])).rejects.toThrow("ECONNREFUSED");
  });
});
