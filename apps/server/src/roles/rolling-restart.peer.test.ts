import { basePath, type Instance } from "@terrarium/contract";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import type { Schema } from "../database/schema.ts";
import { TestPlayer } from "../gateway/testing/test-player.ts";
import { createDatabase } from "../platform/db/database.ts";
import { startPostgres } from "../platform/postgres/start-postgres.ts";
import { aUser } from "../testing/factories.ts";

const PICTURE_BACK_MS = 5_000;
/** What the page waits before it connects again. */
const RETRY_MS = 1_000;
const program = join(import.meta.dirname, "..", "main.ts");

/** A server process of its own, that can be started again. */
class Process {
  readonly #env: Record<string, string>;
  #child: ChildProcess | undefined;
  output = "";

  constructor(env: Record<string, string>) {
    this.#env = env;
  }

  start(): void {
    const child = spawn(process.execPath, [program], {
      env: { ...process.env, NODE_ENV: "test", HOST: "127.0.0.1", PORT: "0", ...this.#env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (this.output += String(chunk)));
  }

  /** Resolves with its exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return null;
    const exited = once(child, "exit");
    child.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }
}

/** Watches a device as the page does: when the connection is lost, it waits and connects again. */
class Watching {
  /** How long the picture was away, each time. */
  readonly outages: number[] = [];
  readonly #end = new AbortController();
  #lostAt: number | undefined;
  #pictures = 0;

  constructor(connect: () => Promise<TestPlayer>) {
    void this.#run(connect);
  }

  get hasPicture(): boolean {
    return this.#pictures > 0 && this.#lostAt === undefined;
  }

  stop(): void {
    this.#end.abort();
  }

  async #run(connect: () => Promise<TestPlayer>): Promise<void> {
    while (!this.#end.signal.aborted) {
      const player = await connect().catch(() => undefined);
      if (player) {
        // A socket that is refused is an error.
        const refused = player.closed().catch(() => undefined);
        const closed = Promise.race([refused, once(this.#end.signal, "abort")]);
        const picture = player.until(() => player.pictures.length > 0);
        await Promise.race([closed, picture.then(() => this.#hasCome())]);
        await closed;
        if (this.#pictures > 0) this.#lostAt ??= performance.now();
        player.close();
      }
      await setTimeout(RETRY_MS);
    }
  }

  #hasCome(): void {
    this.#pictures++;
    if (this.#lostAt !== undefined) this.outages.push(performance.now() - this.#lostAt);
    this.#lostAt = undefined;
  }
}

/** A service whose gateways have data directories of their own, on one database. */
async function setUp() {
  const stops: (() => unknown)[] = [];
  onTestFinished(async () => {
    for (const stop of stops.toReversed()) await stop();
  });
  const folder = await mkdtemp(join(tmpdir(), "terrarium-peer-rolling-"));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const postgres = await startPostgres({ dataDir: join(folder, "database") });
  stops.push(() => postgres.stop());
  const aProcess = (name: string, roles: string) => {
    const made = new Process({
      DATABASE_URL: postgres.url,
      TERRARIUM_ROLES: roles,
      TERRARIUM_DATA_DIR: join(folder, name),
    });
    stops.push(() => made.end("SIGTERM"));
    return made;
  };
  const api = aProcess("api", "api,realtime,jobs");
  api.start();
  const ready = /http:\/\/localhost:(\d+)/;
  await expect.poll(() => api.output, { timeout: 60_000 }).toMatch(ready);
  const base = `http://127.0.0.1:${ready.exec(api.output)?.[1]}${basePath}`;

  const db = createDatabase<Schema>(postgres.url, { max: 2 });
  stops.push(() => db.destroy());
  const headers: Record<string, string> = { "content-type": "application/json" };
  const call = async <Reply>(method: string, path: string, body?: object): Promise<Reply> => {
    const response = await fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Reply;
  };
  const { email, password } = await aUser(db);
  const { token } = await call<{ token: string }>("POST", "/v1/users/login", { email, password });
  headers.authorization = `Bearer ${token}`;

  const rows = () =>
    db
      .selectFrom("instances")
      .select(["uuid", "state", "revision", "machine", "place"])
      .where("state", "<>", "DELETED")
      .orderBy("uuid")
      .execute();
  return {
    stops,
    rows,
    gatewaysUp: async () => (await db.selectFrom("gateways").select("id").execute()).length,
    gateways: [aProcess("one", "gateway"), aProcess("two", "gateway")] as const,
    async startDevices(count: number): Promise<void> {
      const wanted = (await rows()).length + count;
      const found = await call<{ results: { uuid: string }[] }>("GET", "/v3/recipes?search=Phone%206.1&page_size=1");
      const start = `/v1/recipes/${found.results[0]?.uuid}/start-disposable`;
      for (let each = 0; each < count; each++)
        await call("POST", start, { instance_name: "rolling", rename_on_conflict: true });
      const online = async () => (await rows()).filter(({ state }) => state === "ONLINE").length;
      await expect.poll(online, { timeout: 60_000 }).toBe(wanted);
    },
    /** Their hosts would wait for the next gateway. */
    async stopDevices(): Promise<void> {
      for (const { uuid } of await rows()) await call("POST", `/v1/instances/${uuid}/stop-disposable`);
      await expect.poll(rows, { timeout: 60_000 }).toEqual([]);
    },
    async connectTo(uuid: string): Promise<TestPlayer> {
      const { webrtc_url } = await call<Instance>("GET", `/v1/instances/${uuid}`);
      const asked = { instance_uuid: uuid };
      const { access_token } = await call<{ access_token: string }>("POST", "/v1/instances/access-token", asked);
      return new TestPlayer(webrtc_url, access_token);
    },
  };
}

it("gateways that are restarted one after the other lose no device, and every picture is soon back", async () => {
  const { gateways, gatewaysUp, rows, startDevices, stopDevices, connectTo, stops } = await setUp();
  const [one, two] = gateways;
  // Each has devices that the other does not reach.
  one.start();
  await startDevices(2);
  expect(await one.end("SIGTERM")).toBe(0);
  two.start();
  await startDevices(2);
  one.start();
  const before = await rows();
  expect(new Set(before.map(({ place }) => place)).size).toBe(2);

  const watching = before.map(({ uuid }) => new Watching(() => connectTo(uuid)));
  stops.push(() => watching.forEach((each) => each.stop()));
  const allShown = async () => {
    await expect.poll(() => watching.every(({ hasPicture }) => hasPicture), { timeout: 60_000 }).toBe(true);
  };
  await allShown();

  const startMs: number[] = [];
  for (const gateway of gateways) {
    expect(await gateway.end("SIGTERM")).toBe(0);
    const began = performance.now();
    gateway.start();
    await expect.poll(gatewaysUp, { timeout: 60_000 }).toBe(2);
    startMs.push(Math.round(performance.now() - began));
    await expect.poll(() => watching.some(({ hasPicture }) => !hasPicture)).toBe(true);
    await allShown();
  }
  const outages = watching.map((each) => each.outages.map(Math.round));
  console.log(`Gateways were up again after ${startMs.join(" and ")} ms, and pictures after ${outages.join(", ")} ms.`);
  expect(await rows()).toEqual(before);
  watching.forEach((each) => each.stop());
  await stopDevices();
  expect(outages.map((each) => each.length)).toEqual([1, 1, 1, 1]);
  // How long a process takes to start is a matter of the machine, which may be busy with other tests.
  for (const [ms = Infinity] of outages) expect(ms - Math.max(...startMs)).toBeLessThan(PICTURE_BACK_MS);
});
