import { sql } from "kysely";
import { hostname } from "node:os";
import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../../platform/log.ts";
import { createTestApp } from "../../testing/app.ts";
import { anOperator } from "../../testing/operator.ts";
import { startServerBeat } from "./server-beat.ts";

const log = createLog("silent", "test");
/** No process has it: Linux gives smaller ones. */
const NO_PID = 4_194_305;

async function beating() {
  const test = await createTestApp();
  const { db, clock } = test;
  const insert = (host: string, pid: number, silentSeconds = 26) =>
    sql`INSERT INTO servers (id, host, pid, roles, version, load, seen_at)
      VALUES (gen_random_uuid(), ${host}, ${pid}, '{gateway}', '0', '{}',
        clock_timestamp() - make_interval(secs => ${silentSeconds}))`.execute(db);
  return {
    ...test,
    insert,
    start: async () => {
      const beat = await startServerBeat({ db, clock, log, roles: ["api", "jobs"], version: "1.2.3" });
      onTestFinished(() => beat.stop());
      return beat;
    },
    pids: async () => (await db.selectFrom("servers").select("pid").orderBy("pid").execute()).map(({ pid }) => pid),
  };
}

it("tells the operator of a process and its load, and that it has become silent", async () => {
  const test = await beating();
  await test.start();
  const operator = await anOperator(test);
  const overview = async () => (await operator.get("/v1/operator/overview")).json();
  expect((await overview()).servers).toMatchObject([
    {
      host: hostname(),
      pid: process.pid,
      roles: ["api", "jobs"],
      version: "1.2.3",
      silent_seconds: expect.any(Number),
    },
  ]);
  const [server] = (await overview()).servers;
  expect(server.memory_bytes).toBeGreaterThan(10_000_000);
  expect([server.host_memory > 0, server.host_memory <= 1, server.cpu >= 0]).toEqual([true, true, true]);
  await sql`UPDATE servers SET seen_at = clock_timestamp() - interval '50 seconds'`.execute(test.db);
  const whats = async () => (await overview()).attention.map(({ what }: { what: string }) => what);
  expect(await whats()).toContain("server_silent");
  await test.clock.advance(10_000);
  await expect.poll(whats).not.toContain("server_silent");
});

it("is taken off when it stops", async () => {
  const { start, pids } = await beating();
  const beat = await start();
  expect(await pids()).toEqual([process.pid]);
  await beat.stop();
  expect(await pids()).toEqual([]);
});

it("takes nobody off who tells of itself: containers may share a name and the numbers of processes", async () => {
  const { start, insert, pids, clock, db } = await beating();
  await insert(hostname(), process.pid, 5);
  await insert(hostname(), NO_PID, 5);
  await start();
  await start();
  expect(await pids()).toEqual([process.pid, process.pid, process.pid, NO_PID]);
  await sql`UPDATE servers SET seen_at = clock_timestamp() - interval '26 seconds' WHERE roles = '{gateway}'`.execute(
    db,
  );
  await clock.advance(10_000);
  await expect.poll(pids).toEqual([process.pid, process.pid]);
});

it("takes those off that were killed on its machine, and leaves the others for an hour", async () => {
  const { start, insert, pids, db } = await beating();
  await insert(hostname(), NO_PID);
  await insert(hostname(), process.pid);
  await insert(hostname(), 1);
  await insert("elsewhere", NO_PID + 1);
  await start();
  expect(await pids()).toEqual([1, process.pid, NO_PID + 1]);
  await sql`UPDATE servers SET seen_at = clock_timestamp() - interval '61 minutes' WHERE host = 'elsewhere'`.execute(
    db,
  );
  await start();
  expect(await pids()).not.toContain(NO_PID + 1);
});
