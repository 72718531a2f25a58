import { access, chmod, mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { startOwner } from "../platform/postgres/owner.testing.ts";
import { readPostmasterFile } from "../platform/postgres/postmaster-file.ts";
import { isRunning } from "../platform/postgres/processes.ts";
import {
  dropLeftoverDatabases,
  markRunAlive,
  removeLeftoverServers,
  TEST_DATA_PREFIX,
  testDatabaseName,
} from "./leftovers.ts";

const LONG_AGO = new Date("2026-01-01T00:00:00Z");

async function startRun() {
  const dataDir = await mkdtemp(join(tmpdir(), TEST_DATA_PREFIX));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await chmod(dataDir, 0o755);
  const owner = await startOwner(dataDir);
  await utimes(dataDir, LONG_AGO, LONG_AGO);
  const postmaster = await readPostmasterFile(join(dataDir, "cluster"));
  return { dataDir, owner, pid: postmaster?.pid ?? 0 };
}

describe("removeLeftoverServers", () => {
  it("stops and deletes the servers of killed runs, but not of running ones", async () => {
    const [killed, living] = await Promise.all([startRun(), startRun()]);
    onTestFinished(() => living.owner.stop());
    await killed.owner.kill();
    expect(await isRunning(killed.pid)).toBe(true);

    await removeLeftoverServers();
    expect(await isRunning(killed.pid)).toBe(false);
    await expect(access(killed.dataDir)).rejects.toThrow("ENOENT");
    expect(await isRunning(living.pid)).toBe(true);
    await access(living.dataDir);
  });
});

describe("dropLeftoverDatabases", () => {
  it("drops the databases of ended runs only", async () => {
    const { owner } = await startRun();
    onTestFinished(() => owner.stop());
    const [admin, livingRun] = [1, 2].map(() => new Client({ connectionString: owner.report.url }));
    await admin!.connect();
    await livingRun!.connect();
    await markRunAlive(livingRun!, 7);
    for (const name of [
      testDatabaseName(7, "a"),
      testDatabaseName(8, "a"),
      testDatabaseName(8, "b"),
      "terrarium_tests",
    ])
      await admin!.query(`CREATE DATABASE ${name}`);
    const names = async () => {
      const { rows } = await admin!.query<{ datname: string }>(
        "SELECT datname FROM pg_database WHERE datname LIKE 'terrarium\\_%' ORDER BY 1",
      );
      return rows.map(({ datname }) => datname);
    };

    await dropLeftoverDatabases(admin!);
    expect(await names()).toEqual(["terrarium_test_7_a", "terrarium_tests"]);
    await livingRun!.end();
    await dropLeftoverDatabases(admin!);
    expect(await names()).toEqual(["terrarium_tests"]);
    await admin!.end();
  });
});
