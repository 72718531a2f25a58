import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { databaseUser } from "./database-user.ts";
import { DirectoryBusyError, PostgresStartError } from "./errors.ts";
import { query, startOwner } from "./owner.testing.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { isRunning } from "./processes.ts";
import { startPostgres } from "./start-postgres.ts";

/** Shared by most tests: it is initialised, and each test stops its server. */
let dataDir: string;

beforeAll(async () => {
  dataDir = await temporaryDirectory();
  const postgres = await startPostgres({ dataDir });
  await query(postgres.url, "CREATE TABLE kept AS SELECT 'from the first start' AS note");
  await postgres.stop();
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function temporaryDirectory(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "terrarium-peer-pg-"));
  await chmod(made, 0o755);
  return made;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function start(options: Partial<Parameters<typeof startPostgres>[0]> = {}) {
  const postgres = await startPostgres({ dataDir, ...options });
  onTestFinished(() => postgres.stop());
  return postgres;
}

const kept = [{ note: "from the first start" }];

describe("startPostgres", () => {
  it("keeps the data between starts", async () => {
    const { url, adopted } = await start();
    expect(await query(url, "TABLE kept")).toEqual(kept);
    expect(adopted).toBe(false);
  });

  it("accepts a relative path", async () => {
    const { url } = await start({ dataDir: relative(process.cwd(), dataDir) });
    expect(await query(url, "TABLE kept")).toEqual(kept);
  });

  it("flushes commits to disk, and does not use a superuser", async () => {
    const { url } = await start();
    expect(await query(url, "SHOW fsync")).toEqual([{ fsync: "on" }]);
    expect(await query(url, "SELECT usesuper FROM pg_user WHERE usename = current_user")).toEqual([
      { usesuper: false },
    ]);
  });

  it("rejects logins without the password, on the socket and on the port", async () => {
    const port = await freePort();
    const { url } = await start({ port });
    const overTcp = new URL(url);
    overTcp.search = "";
    expect(await query(overTcp.href, "TABLE kept")).toEqual(kept);
    for (const address of [new URL(url), overTcp]) {
      address.password = "wrong";
      await expect(query(address.href, "SELECT 1")).rejects.toThrow("password authentication failed");
      address.username = "postgres";
      await expect(query(address.href, "SELECT 1")).rejects.toThrow("no pg_hba.conf entry");
    }
  });

  it("names the owner when another server uses the directory", async () => {
    const owner = await startOwner(dataDir);
    onTestFinished(() => owner.stop());
    const second = startPostgres({ dataDir });
    await expect(second).rejects.toThrow(DirectoryBusyError);
    await expect(second).rejects.toThrow(`${dataDir} is in use by another Terrarium server (process ${owner.pid})`);
    expect(await query(owner.report.url, "TABLE kept")).toEqual(kept);
  });

  it("lets exactly one of several servers start that start concurrently", async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, () => startOwner(dataDir)));
    onTestFinished(async () => void (await Promise.all(owners.map((owner) => owner.stop()))));
    expect(owners.filter(({ report }) => report.url)).toHaveLength(1);
    const refused = owners.filter(({ report }) => report.error?.startsWith("DirectoryBusyError"));
    expect(refused).toHaveLength(3);
  });

  it("adopts the database of a server that was killed", async () => {
    const owner = await startOwner(dataDir);
    const before = await readPostmasterFile(join(dataDir, "cluster"));
    await owner.kill();
    const { url, adopted } = await start();
    expect(adopted).toBe(true);
    expect(url).toBe(owner.report.url);
    expect((await readPostmasterFile(join(dataDir, "cluster")))?.pid).toBe(before?.pid);
    expect(await query(url, "TABLE kept")).toEqual(kept);
  });

  it("restarts a server that was left running on another port", async () => {
    const owner = await startOwner(dataDir);
    await owner.kill();
    const { url, adopted } = await start({ port: await freePort() });
    expect(adopted).toBe(false);
    expect(await query(url, "TABLE kept")).toEqual(kept);
  });

  it("recovers after the server and its database were both killed", async () => {
    const owner = await startOwner(dataDir);
    await query(owner.report.url, "CREATE TABLE late AS SELECT 1 AS one");
    const left = await readPostmasterFile(join(dataDir, "cluster"));
    await owner.kill();
    process.kill(left?.pid ?? 0, "SIGKILL");
    const { url, adopted } = await start();
    expect(adopted).toBe(false);
    expect(await query(url, "TABLE late")).toEqual([{ one: 1 }]);
  });

  it("does not mistake a process that reuses the id for the database", async () => {
    const other = spawn("sleep", ["60"], { ...(await databaseUser(join(dataDir, "cluster"))), cwd: "/" });
    onTestFinished(() => void other.kill());
    const pidFile = `${other.pid}\n${dataDir}/cluster\n1700000000\n5432\n/tmp/none\n\n  1 1\nready   \n`;
    await writeFile(join(dataDir, "cluster", "postmaster.pid"), pidFile);
    const { url, adopted } = await start();
    expect(adopted).toBe(false);
    expect(await query(url, "TABLE kept")).toEqual(kept);
    expect(await isRunning(other.pid ?? 0)).toBe(true);
  });

  it("restarts the database at the same address when it is shut down from outside", async () => {
    const crashes: unknown[] = [];
    const { promise: restarted, resolve } = Promise.withResolvers<void>();
    const onCrash = (outcome: unknown) => {
      crashes.push(outcome);
      resolve();
    };
    const { url } = await start({ onCrash });
    const running = await readPostmasterFile(join(dataDir, "cluster"));
    // pg_ctl stop -m immediate
    process.kill(running?.pid ?? 0, "SIGQUIT");
    await restarted;
    expect(crashes).toEqual(["restarted"]);
    expect(await query(url, "TABLE kept")).toEqual(kept);
  });

  it("reports why it does not start", async () => {
    const failed = startPostgres({ dataDir, settings: { shared_buffers: "nonsense" } });
    await expect(failed).rejects.toThrow(PostgresStartError);
    await expect(failed).rejects.toThrow('invalid value for parameter "shared_buffers": "nonsense"');
    // The directory is free again.
    const { url } = await start();
    expect(await query(url, "TABLE kept")).toEqual(kept);
  });

  it("refuses a database of another major version, and says how to bring it over", async () => {
    const file = join(dataDir, "cluster", "PG_VERSION");
    const version = await readFile(file, "utf8");
    await writeFile(file, "17\n");
    onTestFinished(() => writeFile(file, version));
    const failed = startPostgres({ dataDir });
    await expect(failed).rejects.toThrow(PostgresStartError);
    await expect(failed).rejects.toThrow(
      /is of PostgreSQL 17, .* PostgreSQL 18 cannot read.*operator -- backup FILE.*restore/,
    );
    await expect(failed).rejects.not.toThrow("initialized by PostgreSQL version");
  });

  it("leaves nothing running when it is aborted while starting", async () => {
    const stop = new AbortController();
    const starting = startPostgres({ dataDir, signal: stop.signal });
    setImmediate(() => stop.abort(new Error("start was cancelled")));
    await expect(starting).rejects.toThrow(/cancelled|aborted/);
    const { adopted } = await start();
    expect(adopted).toBe(false);
  });

  it("cleans up after a creation that was killed", async () => {
    const fresh = await temporaryDirectory();
    onTestFinished(() => rm(fresh, { recursive: true, force: true }));
    const half = join(fresh, "cluster.new-half");
    await mkdir(half);
    await writeFile(join(half, "PG_VERSION"), "18\n");
    const { url } = await start({ dataDir: fresh });
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await expect(readFile(join(half, "PG_VERSION"))).rejects.toThrow("ENOENT");
  });
});
