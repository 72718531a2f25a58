import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { TestClock } from "@terrarium/clock";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { createLog } from "../log.ts";
import { enqueue } from "./enqueue.ts";
import { deleteOldJobs } from "./delete-old-jobs.ts";
import { defineJob, PermanentError } from "./job.ts";
import { claimJobs, listHeldJobs } from "./job-rows.ts";
import { JobWorker } from "./worker.ts";

type Run = (plant: string, signal: AbortSignal) => Promise<void>;

/** A job that waters a plant with a function from `deps`. */
const water = defineJob({
  name: "water",
  payload: z.object({ plant: z.string().max(20) }),
  retry: { attempts: 3, firstMs: 1000, longestMs: 1500 },
  run: (deps: { run: Run }, { plant }, signal) => deps.run(plant, signal),
});

async function setUp({ max = 5 } = {}) {
  const { db, url } = await createTestDatabase({ max });
  const clock = new TestClock();
  const worker = (run: Run, jobs = [water]) => {
    const made = new JobWorker({ db, clock, log: createLog("silent", "test"), jobs, deps: { run } });
    onTestFinished(async () => {
      const stopped = made.stop();
      await clock.advance(20_000);
      await stopped;
    });
    return made;
  };
  return {
    db,
    url,
    clock,
    worker,
    ask: (plant: string, options = {}) => enqueue(db, clock, water, { plant }, options),
  };
}

interface Row {
  state: string;
  attempts: number;
  last_error: string | null;
  holder: string | null;
}

const rows = async (db: Database): Promise<Row[]> =>
  (await sql<Row>`SELECT state, attempts, last_error, holder FROM jobs ORDER BY id`.execute(db)).rows;

/** Waits for earlier queries: with a single connection, they are done when these are. */
async function quiet(db: Database): Promise<void> {
  for (let turn = 0; turn < 4; turn++) {
    await sql`SELECT 1`.execute(db);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** However the system's clock is set. */
const steps = [0, -30_000, -3_600_000, 3_600_000, 157_788_000_000];

describe("enqueue", () => {
  it("is part of the transaction: the job runs after the commit, and never without it", async () => {
    const { db, clock, worker } = await setUp();
    const watered: string[] = [];
    const lost = db.transaction().execute(async (trx) => {
      await enqueue(trx, clock, water, { plant: "never" });
      throw new Error("undone");
    });
    await expect(lost).rejects.toThrow("undone");
    await db.transaction().execute((trx) => enqueue(trx, clock, water, { plant: "fern" }));
    const one = worker(async (plant) => void watered.push(plant));
    await one.runDue();
    await one.runDue();
    expect(watered).toEqual(["fern"]);
    expect(await rows(db)).toMatchObject([{ state: "done", attempts: 1, holder: null }]);
  });

  it("does nothing when the key exists, also after the job is done", async () => {
    const { ask, worker } = await setUp();
    const watered: string[] = [];
    const one = worker(async (plant) => void watered.push(plant));
    expect(await ask("fern", { key: "monday" })).toBe(true);
    expect(await ask("moss", { key: "monday" })).toBe(false);
    await one.runDue();
    expect(await ask("fern", { key: "monday" })).toBe(false);
    expect(await ask("fern", { key: "tuesday" })).toBe(true);
    await one.runDue();
    expect(watered).toEqual(["fern", "fern"]);
  });

  it("refuses a payload that does not match the schema", async () => {
    const { ask, db } = await setUp();
    await expect(ask("a name that is longer than it may be")).rejects.toThrow(z.ZodError);
    expect(await rows(db)).toEqual([]);
  });
});

describe("JobWorker", () => {
  it("polls for jobs that are due by the clock", async () => {
    const { ask, clock, db, worker } = await setUp({ max: 1 });
    const watered = Promise.withResolvers<number>();
    worker(async () => watered.resolve(clock.now())).start();
    const dueAt = new Date(clock.now() + 60_000);
    await ask("fern", { dueAt });
    await clock.advance(1000);
    await quiet(db);
    await ask("moss");
    await clock.advance(1000);
    expect(await watered.promise).toBe(dueAt.getTime() - 58_000);
  });

  it("runs a job at once although the clock is set back before it is seen", async () => {
    const { ask, clock, worker } = await setUp();
    const watered: string[] = [];
    await ask("fern");
    clock.step(-3_600_000);
    await worker(async (plant) => void watered.push(plant)).runDue();
    expect(watered).toEqual(["fern"]);
  });

  it("runs a retry whose worker is gone when it is due by the clock", async () => {
    const { ask, clock, worker } = await setUp();
    await ask("fern");
    await worker(() => Promise.reject(new Error("dry"))).runDue();
    const watered: string[] = [];
    const other = worker(async (plant) => void watered.push(plant));
    await clock.advance(999);
    await other.runDue();
    expect(watered).toEqual([]);
    await clock.advance(1);
    await other.runDue();
    expect(watered).toEqual(["fern"]);
  });

  it("does not run a job before it is due", async () => {
    const { ask, clock, worker } = await setUp();
    const watered: string[] = [];
    const one = worker(async (plant) => void watered.push(plant));
    await ask("late", { dueAt: new Date(clock.now() + 60_000) });
    await ask("now");
    await clock.advance(59_999);
    await one.runDue();
    expect(watered).toEqual(["now"]);
    await clock.advance(1);
    await one.runDue();
    expect(watered).toEqual(["now", "late"]);
  });

  it.each(steps)("retries with increasing delays until the job is dead, with the clock set by %i ms", async (step) => {
    const { ask, db, clock, worker } = await setUp();
    const begun = clock.monotonic();
    const tries: number[] = [];
    const one = worker(async () => {
      tries.push(clock.monotonic() - begun);
      throw new Error("no water at https://tap:t0ps3cret@well.test?token=t0ps3cret");
    });
    await ask("fern");
    for (let quarters = 0; quarters < 20; quarters++) {
      await one.runDue();
      if (quarters === 1) clock.step(step);
      await clock.advance(250);
    }
    expect(tries).toEqual([0, 1000, 2500]);
    expect(await rows(db)).toEqual([
      {
        state: "dead",
        attempts: 3,
        last_error: "no water at https://tap:[hidden]@well.test?token=[hidden]",
        holder: null,
      },
    ]);
  });

  it("marks a job done when a retry succeeds", async () => {
    const { ask, db, clock, worker } = await setUp();
    let tries = 0;
    const one = worker(async () => {
      if (++tries === 1) throw new Error("dry");
    });
    await ask("fern");
    await one.runDue();
    expect(await rows(db)).toMatchObject([{ state: "waiting", attempts: 1, last_error: "dry" }]);
    await clock.advance(1000);
    await one.runDue();
    expect(await rows(db)).toMatchObject([{ state: "done", attempts: 2 }]);
  });

  it("marks a job dead at once after a permanent error or with an invalid payload", async () => {
    const { ask, db, worker } = await setUp();
    await ask("fern");
    await enqueue(db, new TestClock(), { ...water, payload: z.object({}) as never }, {} as never);
    await worker(async () => {
      throw new PermanentError("there is no such plant");
    }).runDue();
    expect(await rows(db)).toMatchObject([
      { state: "dead", attempts: 1, last_error: "there is no such plant" },
      { state: "dead", attempts: 1, last_error: expect.stringContaining("payload is not valid") },
    ]);
  });

  it("leaves jobs with unknown names alone", async () => {
    const { ask, db, worker } = await setUp();
    await ask("fern");
    await worker(async () => undefined, [{ ...water, name: "prune" }]).runDue();
    expect(await rows(db)).toMatchObject([{ state: "waiting", attempts: 0 }]);
  });

  it("runs each job once with several workers", async () => {
    const { ask, db, worker } = await setUp();
    const plants = Array.from({ length: 60 }, (_, index) => `plant ${index}`);
    for (const plant of plants) await ask(plant);
    const watered: string[] = [];
    const workers = Array.from({ length: 4 }, () => worker(async (plant) => void watered.push(plant)));
    await Promise.all(workers.map((each) => each.runDue()));
    expect(watered.toSorted()).toEqual(plants.toSorted());
    console.log(
      `${plants.length} jobs, ${workers.length} workers: ${watered.length - new Set(watered).size} run twice`,
    );
    expect((await rows(db)).every(({ state, attempts }) => state === "done" && attempts === 1)).toBe(true);
  });

  it.each(steps)(
    "takes over from a lost worker, whose late result is ignored, with the clock set by %i ms",
    async (step) => {
      const { ask, db, clock, worker } = await setUp();
      await ask("fern");
      const late = Promise.withResolvers<void>();
      const watered: string[] = [];
      // It never renews its lease, as it was not started.
      const lost = worker(() => late.promise).runDue();
      while ((await rows(db))[0]?.holder === null);
      const other = worker(async (plant) => void watered.push(plant));
      await other.runDue();
      clock.step(step);
      await clock.advance(29_999);
      await other.runDue();
      expect(watered).toEqual([]);
      await clock.advance(1);
      await other.runDue();
      expect(watered).toEqual(["fern"]);
      late.reject(new Error("too late"));
      await lost;
      expect(await rows(db)).toMatchObject([{ state: "done", attempts: 2, last_error: null }]);
    },
  );

  it("takes over from a process that was killed during a job", async () => {
    const { ask, db, url, clock, worker } = await setUp();
    await ask("fern");
    const program = join(import.meta.dirname, "testing", "stuck-worker.ts");
    const child = fork(program, [url, String(clock.now())]);
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "message");
    child.kill("SIGKILL");
    await once(child, "exit");
    const watered: string[] = [];
    const other = worker(async (plant) => void watered.push(plant));
    await other.runDue();
    expect(watered).toEqual([]);
    await clock.advance(30_000);
    await other.runDue();
    expect(watered).toEqual(["fern"]);
    expect(await rows(db)).toMatchObject([{ state: "done", attempts: 2 }]);
  });

  it.each(steps)("renews the lease of a long job, with the clock set by %i ms", async (step) => {
    const { ask, db, clock, worker } = await setUp({ max: 1 });
    await ask("fern");
    const begun = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<void>();
    let jobSignal: AbortSignal | undefined;
    const one = worker(async (_, signal) => {
      jobSignal = signal;
      begun.resolve();
      await slow.promise;
    });
    one.start();
    await clock.advance(1000);
    await begun.promise;
    const watered: string[] = [];
    const other = worker(async (plant) => void watered.push(plant));
    for (let tens = 0; tens < 9; tens++) {
      await clock.advance(10_000);
      if (tens === 4) clock.step(step);
      await quiet(db);
      await other.runDue();
    }
    expect([watered, jobSignal?.aborted]).toEqual([[], false]);
    slow.resolve();
    await quiet(db);
    expect(await rows(db)).toMatchObject([{ state: "done", attempts: 1 }]);
  });

  it("runs a job again whose result could not be recorded, even while it is busy with others", async () => {
    const { ask, db, clock, worker } = await setUp({ max: 1 });
    await ask("fern");
    await ask("moss");
    const watered: string[] = [];
    const slow = Promise.withResolvers<void>();
    worker(async (plant) => {
      watered.push(plant);
      if (plant === "fern") await slow.promise;
    }).start();
    await clock.advance(1000);
    await quiet(db);
    // As if the database had been away when the second one finished.
    await sql`
      UPDATE jobs SET state = 'waiting', ended_at = NULL, holder = (SELECT holder FROM jobs WHERE state = 'waiting')
      WHERE state = 'done'`.execute(db);
    for (let seconds = 0; seconds < 33; seconds++) {
      await clock.advance(1000);
      await quiet(db);
    }
    expect(watered).toEqual(["fern", "moss", "moss"]);
    slow.resolve();
    await quiet(db);
  });

  it("does not claim its own job again when the clock jumps", async () => {
    const { ask, clock, worker } = await setUp();
    await ask("fern");
    const slow = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let runs = 0;
    const one = worker(() => (runs++, begun.resolve(), slow.promise));
    const first = one.runDue();
    await begun.promise;
    await clock.advance(7 * 24 * 60 * 60 * 1000);
    await one.runDue();
    slow.resolve();
    await first;
    expect(runs).toBe(1);
  });

  it("aborts a job that another worker has claimed", async () => {
    const { ask, db, clock, worker } = await setUp({ max: 1 });
    await ask("fern");
    const begun = Promise.withResolvers<AbortSignal>();
    worker(async (_, signal) => {
      begun.resolve(signal);
      await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    }).start();
    await clock.advance(1000);
    const signal = await begun.promise;
    await sql`UPDATE jobs SET holder = 'another'`.execute(db);
    await clock.advance(10_000);
    await quiet(db);
    expect(signal.aborted).toBe(true);
    expect(await rows(db)).toMatchObject([{ state: "waiting", attempts: 1, holder: "another" }]);
  });

  it("marks a job dead whose workers are lost at every attempt", async () => {
    const { ask, db, clock, worker } = await setUp();
    await ask("fern");
    for (let attempt = 0; attempt < 3; attempt++) {
      const now = new Date(clock.now());
      const leaseEnd = new Date(clock.now() + 1000);
      const lapsed = await listHeldJobs(db);
      const options = { holder: "doomed", names: ["water"], except: [], retries: [], lapsed, limit: 1, now, leaseEnd };
      expect(await claimJobs(db, options)).toHaveLength(1);
      await clock.advance(1000);
    }
    const watered: string[] = [];
    const one = worker(async (plant) => void watered.push(plant));
    await one.runDue();
    await clock.advance(30_000);
    await one.runDue();
    expect(watered).toEqual([]);
    expect(await rows(db)).toMatchObject([{ state: "dead", last_error: "the worker was lost at the last attempt" }]);
  });

  it("waits for running jobs when it stops", async () => {
    const { ask, db, clock, worker } = await setUp({ max: 1 });
    await ask("fern");
    await ask("moss");
    const begun = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<void>();
    const one = worker(async () => {
      begun.resolve();
      await slow.promise;
    });
    one.start();
    await clock.advance(1000);
    await begun.promise;
    let hasStopped = false;
    const stopped = one.stop().then(() => (hasStopped = true));
    await ask("palm");
    await clock.advance(9_000);
    await quiet(db);
    expect(hasStopped).toBe(false);
    slow.resolve();
    await stopped;
    expect((await rows(db)).map(({ state }) => state)).toEqual(["done", "done", "waiting"]);
  });

  it("releases a job that takes too long when it stops, without counting the attempt", async () => {
    const { ask, db, clock, worker } = await setUp({ max: 1 });
    await ask("fern");
    const begun = Promise.withResolvers<void>();
    const one = worker(async (_, signal) => {
      begun.resolve();
      await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    });
    one.start();
    await clock.advance(1000);
    await begun.promise;
    const stopped = one.stop();
    await quiet(db);
    await clock.advance(10_000);
    await stopped;
    expect(await rows(db)).toEqual([{ state: "waiting", attempts: 0, last_error: null, holder: null }]);
  });

  it("does not wait for ever for a job that ignores its signal", async () => {
    const { ask, db, clock, worker } = await setUp({ max: 1 });
    await ask("fern");
    const begun = Promise.withResolvers<void>();
    const one = worker(() => (begun.resolve(), new Promise(() => undefined)));
    one.start();
    await clock.advance(1000);
    await begun.promise;
    const stopped = one.stop();
    await quiet(db);
    await clock.advance(10_000);
    await clock.advance(1_000);
    await stopped;
    expect(await rows(db)).toMatchObject([{ state: "waiting", attempts: 1 }]);
  });
});

it("deletes jobs a week after they were done, and dead ones after 90 days", async () => {
  const { ask, db, clock, worker } = await setUp();
  await ask("fern");
  await ask("moss");
  await worker(async (plant) => {
    if (plant === "moss") throw new PermanentError("dead");
  }).runDue();
  await ask("palm");
  const day = 24 * 60 * 60 * 1000;
  const left = async (days: number) => {
    await clock.advance(days * day);
    await deleteOldJobs.run({ db, clock });
    return (await rows(db)).map(({ state }) => state);
  };
  expect(await left(7)).toEqual(["done", "dead", "waiting"]);
  expect(await left(1)).toEqual(["dead", "waiting"]);
  expect(await left(83)).toEqual(["waiting"]);
});
