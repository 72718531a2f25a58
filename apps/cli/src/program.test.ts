import { TestClock } from "@terrarium/clock";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { completionsOf } from "./commands/completion.ts";
import { createProgram } from "./program.ts";
import { recordedTerminal } from "./testing/recorded-terminal.ts";

const uuid = "3f2b8f0e-8a55-4c39-9d6e-0d7a1c1f2b3a";
const other = "1f2b8f0e-8a55-4c39-9d6e-0d7a1c1f2b3b";

type Reply = [status: number, body: unknown];

/** Whoever waits by it waits no longer than it takes to say so. */
class PassingClock extends TestClock {
  override sleep = (ms: number) => this.advance(ms);
}

const unreachable = () => Promise.reject(new TypeError("fetch failed"));

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "terrarium-cli-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A command line whose service answers with these, in this order, and then with the last of them. */
function commandLine(replies: Reply[] = [[200, { count: 0, results: [] }]], given: Record<string, unknown> = {}) {
  const calls: { path: string; body?: unknown; token: string | null }[] = [];
  const answer = async (url: string, init: RequestInit = {}) => {
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : undefined;
    calls.push({
      path: `${init.method} ${url}`,
      ...(body !== undefined && { body }),
      token: new Headers(init.headers).get("x-api-token"),
    });
    const [status, reply] = replies.length > 1 ? replies.shift()! : replies[0]!;
    return status === 204 ? new Response(null, { status }) : Response.json(reply, { status });
  };
  const env = { TERRARIUM_URL: "http://here/cloud/", TERRARIUM_API_TOKEN: "tt_1" };
  return { calls, ...recordedTerminal({ folder, env, fetch: answer as typeof fetch, ...given }) };
}

const recipe = (name: string, arch: string, id = uuid) => ({ uuid: id, name, arch, is_official: true });
const instance = (state: string, rest: object = {}) => ({ uuid, name: "one", state, stops_at: null, ...rest });
const page = (...results: unknown[]) => ({ count: results.length, results });

describe("who one is", () => {
  it("is told by the environment before what was kept, ours before that of other clients", async () => {
    await writeFile(join(folder, "config.json"), JSON.stringify({ url: "http://kept", token: "kept" }));
    const seen = async (env: Record<string, string>) => {
      const { calls, run } = commandLine(undefined, { env });
      await run("instances", "list");
      return [calls[0]?.path.split("/cloud")[0], calls[0]?.token];
    };
    expect(await seen({})).toEqual(["GET http://kept", "kept"]);
    expect(await seen({ TERRARIUM_URL: "http://kept/cloud/" })).toEqual(["GET http://kept", "kept"]);
    expect(await seen({ GENYMOTION_API_TOKEN: "theirs", TERRARIUM_URL: "http://env/" })).toEqual([
      "GET http://env",
      "theirs",
    ]);
    // A token is shown to no other service than that which it was kept for.
    expect(await seen({ TERRARIUM_URL: "http://env/" })).toEqual([undefined, undefined]);
    expect(await seen({ GENYMOTION_API_TOKEN: "theirs", TERRARIUM_API_TOKEN: "ours" })).toEqual([
      "GET http://kept",
      "ours",
    ]);
    // As CI sets secrets that are not there.
    expect(await seen({ GENYMOTION_API_TOKEN: "theirs\r", TERRARIUM_API_TOKEN: "", TERRARIUM_URL: "" })).toEqual([
      "GET http://kept",
      "theirs",
    ]);
  });

  it("is not shown where the token can be none", async () => {
    const env = { TERRARIUM_URL: "http://here", TERRARIUM_API_TOKEN: "tt_secret\ntt_other" };
    const { run, calls } = commandLine(undefined, { env });
    const { exitCode, stderr } = await run("instances", "list");
    expect([exitCode, calls.length, stderr.includes("secret")]).toEqual([3, 0, false]);
  });

  it("is asked for until Ctrl-C", async () => {
    const over = new AbortController();
    const stdin = new PassThrough() as unknown as NodeJS.ReadStream;
    const running = commandLine(undefined, { stdin, signal: over.signal }).run("auth", "login");
    over.abort();
    expect((await running).exitCode).toBe(130);
  });

  it("is asked for", async () => {
    const { run, calls } = commandLine(undefined, { env: {} });
    const { exitCode, stderr } = await run("instances", "list");
    expect([exitCode, calls.length]).toEqual([3, 0]);
    expect(stderr).toContain("http://localhost:8080/api");
  });

  it("is kept only if the token works, for nobody else to read", async () => {
    const refused = [401, { code: "NOT_AUTHENTICATED", message: "Sign in first." }] as Reply;
    const bad = commandLine([refused], { input: "bad\n" });
    expect((await bad.run("auth", "login")).exitCode).toBe(3);
    await expect(stat(join(folder, "config.json"))).rejects.toThrow(/ENOENT/);
    const good = commandLine(undefined, { input: "good\n" });
    expect((await good.run("auth", "login")).exitCode).toBe(0);
    expect(good.calls[0]?.token).toBe("good");
    expect((await stat(join(folder, "config.json"))).mode & 0o777).toBe(0o600);
    await good.run("auth", "logout");
    expect(JSON.parse(await readFile(join(folder, "config.json"), "utf8"))).toEqual({ url: "http://here" });
  });

  it("is refused where the settings are not ours, or the address or the proxy is none", async () => {
    await writeFile(join(folder, "config.json"), "{");
    expect((await commandLine().run("instances", "list")).exitCode).toBe(6);
    await rm(join(folder, "config.json"));
    expect((await commandLine().run("--url", "ftp://here", "instances", "list")).exitCode).toBe(6);
    const env = { TERRARIUM_URL: "http://here", TERRARIUM_API_TOKEN: "tt_1", HTTP_PROXY: "socks5://proxy" };
    expect((await commandLine(undefined, { env }).run("instances", "list")).exitCode).toBe(6);
  });
});

describe("login", () => {
  const begun = {
    device_code: "secret",
    user_code: "BCDF-GHJK",
    verification_uri: "http://here/activate",
    verification_uri_complete: "http://here/activate?code=BCDF-GHJK",
    expires_in: 600,
    interval: 5,
  };
  const told = (code: string): Reply => [400, { code: `PROGRAM_SIGN_IN_${code}`, message: "Said." }];
  const signIn = (...replies: Reply[]) => {
    const clock = new PassingClock();
    const waits: number[] = [];
    const sleep = clock.sleep;
    clock.sleep = (ms) => (waits.push(ms / 1000), sleep(ms));
    const env = { TERRARIUM_URL: "http://here" };
    return { waits, ...commandLine([[201, begun], ...replies], { clock, env }) };
  };

  it("shows a code, waits as it is told until it is approved, and keeps the token", async () => {
    const got: Reply = [201, { token: "tt_new", description: "Command line on laptop" }];
    const { run, calls, waits } = signIn(told("PENDING"), told("SLOW_DOWN"), [502, "away"], told("PENDING"), got);
    const { exitCode, stdout, stderr } = await run("login", "--scope", "read");
    expect([exitCode, stdout]).toEqual([0, 'Signed in at http://here. The token is "Command line on laptop".\n']);
    expect(stderr).toContain("Open http://here/activate?code=BCDF-GHJK\n");
    expect(stderr).not.toContain("secret");
    expect(calls[0]).toMatchObject({ body: { host: expect.any(String), scope: "read" }, token: null });
    expect(calls.slice(1).map(({ body }) => body)).toEqual([1, 2, 3, 4, 5].map(() => ({ device_code: "secret" })));
    expect(waits).toEqual([5, 5, 10, 10, 10]);
    const kept = JSON.parse(await readFile(join(folder, "config.json"), "utf8"));
    expect(kept).toEqual({ url: "http://here", token: "tt_new" });
  });

  it.each(["REFUSED", "EXPIRED"])("keeps nothing when it was %s", async (what) => {
    const { run } = signIn(told("PENDING"), told(what));
    const { exitCode, stderr } = await run("login");
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(`(PROGRAM_SIGN_IN_${what})`)]);
    await expect(stat(join(folder, "config.json"))).rejects.toThrow(/ENOENT/);
  });

  it("waits for no longer than the code works, and ends with Ctrl-C", async () => {
    const { run, waits } = signIn([502, "away"]);
    expect((await run("login")).exitCode).toBe(3);
    expect(waits.length).toBe(121);
    const over = new AbortController();
    over.abort();
    const ended = commandLine([[201, begun]], { signal: over.signal, clock: new TestClock() });
    expect((await ended.run("login")).exitCode).toBe(130);
  });
});

describe("what is printed", () => {
  it("is a table of all pages, without anything that would steer the terminal", async () => {
    const { run, calls } = commandLine([
      [200, { count: 2, results: [recipe("First\u001B]0;title\u0007\u001B[2J", "arm64")] }],
      [200, { count: 2, results: [recipe("Second", "x86")] }],
    ]);
    const { stdout } = await run("recipes", "list", "--arch", "arm64");
    expect(stdout.split("\n")).toEqual([
      "UUID                                  NAME    ANDROID  ARCH   FORM  SOURCE",
      `${uuid}  First   -        arm64  -     official`,
      `${uuid}  Second  -        x86    -     official`,
      "",
    ]);
    expect(calls.map(({ path }) => path)).toEqual([
      expect.stringMatching(/page=1&.*arch=arm64/),
      expect.stringMatching(/page=2&/),
    ]);
  });

  it("is red on a terminal alone, and not where somebody wants no colours", async () => {
    const said = async (isTTY: boolean, more: Record<string, string> = {}) => {
      const { run, terminal } = commandLine(undefined, { env: { TERRARIUM_URL: "http://here", ...more } });
      terminal.stderr.isTTY = isTTY;
      return (await run("recipes", "list")).stderr.includes("\u001B[31mError:");
    };
    expect([await said(true), await said(false), await said(true, { NO_COLOR: "1" })]).toEqual([true, false, false]);
  });

  it("is JSON with an exit code, for errors as well", async () => {
    const done = commandLine([[200, page(recipe("One", "x86"))]]);
    const { stdout } = await done.run("--format", "json", "recipes", "list");
    expect(JSON.parse(stdout)).toEqual({ exit_code: 0, exit_code_desc: "NO_ERROR", recipes: [recipe("One", "x86")] });
    const failed = commandLine([[404, { code: "RECIPE_NOT_FOUND", message: "Recipe not found." }]]);
    const { stdout: nothing, stderr, exitCode } = await failed.run("--format", "compactjson", "recipes", "get", uuid);
    expect([nothing, exitCode]).toEqual(["", 4]);
    expect(JSON.parse(stderr)).toEqual({
      exit_code: 4,
      exit_code_desc: "API_ERROR",
      error: { message: "Recipe not found.", details: "RECIPE_NOT_FOUND" },
    });
  });

  it.each([
    [["frob"], 2],
    [["instances", "start"], 2],
    [["instances", "start", "a", "b", "--max-run-duration", "3 days"], 2],
    [["instances", "start", "a", "b", "--max-run-duration", "481h"], 2],
    [["instances", "start", "a", "b", "--max-run-duration", "1h", "--stop-when-inactive"], 2],
    [["hwprofiles", "create", "a", "--width", "1", "--height", "1", "--density", "71"], 2],
    [["instances", "adbconnect", uuid, "--adb-serial-port", "80"], 2],
    [["instances", "adbconnect", "../config"], 2],
    [["run", "--recipe", "phone", "--install", "/nosuch.apk", "--", "true"], 2],
    [["--help"], 0],
  ])("exits %j with %i, and asks the service nothing", async (words, exitCode) => {
    const { run, calls } = commandLine();
    expect([(await run(...words)).exitCode, calls]).toEqual([exitCode, []]);
  });

  it("keeps what people have named from steering the terminal", async () => {
    const { run } = commandLine([[201, { token: "t\u001B[2J\u009B2J" }]]);
    expect((await run("tokens", "create", "one")).stdout).toBe("t\n");
    const json = commandLine([[200, page(recipe("\u009B2J", "x86"))]]);
    expect((await json.run("--format", "compactjson", "recipes", "list")).stdout).toContain(String.raw`\u009b2J`);
  });

  it("says that the service cannot be reached, and why", async () => {
    const refused = new AggregateError([new Error("connect ECONNREFUSED ::1:1"), new Error("another address")]);
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause: refused }));
    const { run } = commandLine(undefined, { fetch, clock: new PassingClock() });
    expect(await run("instances", "list")).toMatchObject({
      exitCode: 15,
      stderr: expect.stringContaining("(SERVICE_UNAVAILABLE; connect ECONNREFUSED ::1:1)"),
    });
    const named = new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND nowhere") });
    const lost = commandLine(undefined, { fetch: () => Promise.reject(named), clock: new PassingClock() });
    expect((await lost.run("instances", "list")).stderr).toContain("; getaddrinfo ENOTFOUND nowhere)");
  });

  it.each([200, 404])("says that something else answers, with the status %i", async (status) => {
    const { run } = commandLine(undefined, { fetch: async () => new Response("<h1>nginx</h1>", { status }) });
    expect(await run("instances", "list")).toMatchObject({
      exitCode: 15,
      stderr: expect.stringContaining(`The server answered ${status} with a page instead of data`),
    });
  });

  it("is the whole list as JSON, also where only the uuids are for people", async () => {
    const { run } = commandLine([[200, page(instance("ONLINE"))]]);
    expect((await run("instances", "list", "-q")).stdout).toBe(`${uuid}\n`);
    const { stdout } = await run("--format", "json", "instances", "list", "-q");
    expect(JSON.parse(stdout)).toMatchObject({ exit_code: 0, instances: [{ uuid, state: "ONLINE" }] });
  });

  it("ends with Ctrl-C also while it waits to ask again", async () => {
    const clock = new TestClock();
    const over = new AbortController();
    const { run } = commandLine(undefined, { fetch: unreachable, clock, signal: over.signal });
    const running = run("instances", "list");
    await expect.poll(() => clock.sleeping).toBe(1);
    over.abort();
    expect((await running).exitCode).toBe(130);
  });

  it.each([[["instances", "list"]], [["doctor"]]])(
    "ends with Ctrl-C also while the service is silent: %j",
    async (words) => {
      const over = new AbortController();
      const { promise: asked, resolve } = Promise.withResolvers<void>();
      // It never answers; only the signal ends the call.
      const silent = (_: string, { signal }: RequestInit) =>
        new Promise((__, reject) => {
          resolve();
          signal?.addEventListener("abort", () => reject(signal.reason as Error));
        });
      const running = commandLine(undefined, { fetch: silent, signal: over.signal }).run(...words);
      await asked;
      over.abort();
      expect((await running).exitCode).toBe(130);
    },
  );

  it("is a whole file, or the one that was there", async () => {
    const torn = async function* () {
      yield new TextEncoder().encode("half");
      throw new Error("the network is gone");
    };
    const file = join(folder, "usage.csv");
    await writeFile(file, "before");
    const { run } = commandLine(undefined, {
      fetch: async () => new Response(Readable.toWeb(Readable.from(torn())) as ReadableStream),
    });
    expect((await run("usage", "-o", file)).exitCode).toBe(1);
    expect([await readFile(file, "utf8"), await readdir(folder)]).toEqual(["before", ["usage.csv"]]);
  });

  it("is what a check finds, without asking again", async () => {
    let asked = 0;
    const fetch = () => (asked++, unreachable());
    const env = { TERRARIUM_URL: "http://127.0.0.1:1", TERRARIUM_API_TOKEN: "tt_1" };
    const { run } = commandLine(undefined, { fetch, env, clock: new PassingClock() });
    const { exitCode, stdout } = await run("--format", "json", "doctor");
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { exit_code: 1, exit_code_desc: "DEFAULT_ERROR" }]);
    expect(asked).toBe(2);
  });

  it("says nothing against the token when the service answers, and is busy for a moment", async () => {
    const busy: Reply = [503, { code: "SERVICE_UNAVAILABLE" }];
    const env = { TERRARIUM_URL: "http://127.0.0.1:1", TERRARIUM_API_TOKEN: "tt_1" };
    const { run } = commandLine([[200, {}], busy, [200, page()]], { env, clock: new PassingClock() });
    expect((await run("doctor")).stdout).toContain("✓ The API token works\n");
  });
});

describe("instances", () => {
  it("start from a name, with the timeouts that scripts mean", async () => {
    const started = async (...options: string[]) => {
      const { run, calls } = commandLine([
        [200, page(recipe("Phone", "arm64", other), recipe("Phone", "x86_64"), recipe("Phone plus", "x86_64", other))],
        [201, instance("CREATING")],
      ]);
      const { stdout } = await run("instances", "start", "phone", "one", "--no-wait", ...options);
      expect([stdout, calls[1]?.path]).toEqual([
        `${uuid}\n`,
        `POST http://here/cloud/v1/recipes/${uuid}/start-disposable`,
      ]);
      return calls[1]?.body;
    };
    expect(await started()).toEqual({ instance_name: "one", timeouts: { inactivity: 0 } });
    expect(await started("--max-run-duration", "90")).toMatchObject({ timeouts: { inactivity: 0, global: 90 } });
    expect(await started("--max-run-duration", "2h")).toMatchObject({ timeouts: { global: 120 } });
    expect(await started("--stop-when-inactive")).toEqual({ instance_name: "one", stop_when_inactive: true });
  });

  it("refuse a name that says too little", async () => {
    const several = commandLine([[200, page(recipe("Phone", "x86_64"), recipe("Phone", "x86_64", other))]]);
    expect((await several.run("instances", "start", "phone", "one")).stderr).toContain(other);
    const near = commandLine([[200, page(recipe("Phone plus", "x86_64"))]]);
    const { exitCode, stderr } = await near.run("instances", "start", "phone", "one");
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("Phone plus")]);
  });

  it("are waited for through a network that is away, and no longer than asked", async () => {
    const clock = new PassingClock();
    const { run } = commandLine(
      [
        [200, instance("BOOTING")],
        [502, "away"],
        [502, "away"],
        [502, "away"],
        [502, "away"],
        [200, instance("ONLINE")],
      ],
      { clock },
    );
    expect((await run("instances", "wait", uuid)).exitCode).toBe(0);
    const never = commandLine([[200, instance("BOOTING")]], { clock });
    expect(await never.run("instances", "wait", uuid, "--timeout", "5")).toMatchObject({
      exitCode: 14,
      stderr: expect.stringContaining("BOOTING after 5 s"),
    });
    // Each look is one call: otherwise it would be told later that the time is up.
    const away = commandLine([[502, "away"]], { clock });
    expect(await away.run("instances", "wait", uuid, "--timeout", "5")).toMatchObject({
      exitCode: 14,
      stderr: expect.stringContaining("out of reach after 5 s"),
    });
    expect(away.calls).toHaveLength(7);
  });

  it("that ended, and saves that failed, are errors", async () => {
    const ended = commandLine([[200, instance("ERROR", { reason: "machine_gone" })]]);
    expect(await ended.run("instances", "wait", uuid)).toMatchObject({
      exitCode: 10,
      stderr: expect.stringContaining("machine_gone"),
    });
    const unsaved = commandLine([
      [201, recipe("Saved", "x86")],
      [200, instance("ONLINE", { save: { error: "SAVE_TOO_LARGE" } })],
    ]);
    expect((await unsaved.run("instances", "saveas", uuid, "--new-recipe-name", "Saved")).exitCode).toBe(17);
    expect(unsaved.calls[0]?.body).toEqual({ action: "save_as", new_recipe_name: "Saved" });
  });

  it("are stopped until they are gone", async () => {
    const clock = new PassingClock();
    const { run } = commandLine(
      [
        [200, instance("STOPPING")],
        [200, instance("DELETING")],
        [404, { code: "INSTANCE_ENDED", message: "Gone." }],
      ],
      { clock },
    );
    expect(await run("instances", "stop", uuid)).toMatchObject({ exitCode: 0, stdout: `${uuid}\n` });
    const several = commandLine([[404, { code: "INSTANCE_ENDED", message: "Gone." }]]);
    expect((await several.run("instances", "stop", uuid, other, "--no-wait")).exitCode).toBe(4);
    // All at once: in no order.
    expect(several.calls.map(({ path }) => path).toSorted()).toEqual([
      expect.stringContaining(other),
      expect.stringContaining(uuid),
    ]);
  });
});

describe("a run", () => {
  it("is on a lease of 15 minutes that it renews every five, and stops its device when it is told to end", async () => {
    const clock = new TestClock();
    const over = new AbortController();
    const calls: [path: string, body: unknown][] = [];
    /** A service that does not say what the device is doing. */
    const answer = async (url: string, { method, body, signal }: RequestInit) => {
      const path = `${method} ${new URL(url).pathname}`;
      calls.push([path, typeof body === "string" ? JSON.parse(body) : undefined]);
      if (path.startsWith("GET") && path.endsWith(uuid))
        await once(signal!, "abort").then(() => signal!.throwIfAborted());
      return Response.json(path.startsWith("GET") ? page(recipe("phone", "x86_64")) : instance("BOOTING"));
    };
    const { run } = commandLine([], { fetch: answer, clock, signal: over.signal });
    const running = run("run", "--recipe", "phone", "--", "true");
    await expect.poll(() => calls.length).toBe(3);
    expect(calls[1]?.[1]).toMatchObject({ timeouts: { inactivity: 0, global: 15 } });
    for (let renewed = 1; renewed <= 2; renewed++) {
      await clock.advance(5 * 60_000);
      expect(calls.slice(3).map(([, body]) => body)).toEqual(Array.from({ length: renewed }, () => ({ minutes: 15 })));
    }
    over.abort();
    expect((await running).exitCode).toBe(130);
    expect(calls.at(-1)?.[0]).toBe(`POST /cloud/v1/instances/${uuid}/stop-disposable`);
  });
});

describe("a preview", () => {
  const app = () => writeFile(join(folder, "app.apk"), "app").then(() => join(folder, "app.apk"));
  const stopped = `POST http://here/cloud/v1/instances/${uuid}/stop-disposable`;

  it("ends the one before, and prints a link that ends when its device does", async () => {
    const { calls, run } = commandLine([
      [200, page(recipe("phone", "x86_64"))],
      [200, page(instance("ONLINE", { name: "PR 12", uuid: other }), instance("ONLINE"))],
      [200, instance("STOPPING")],
      [404, { code: "INSTANCE_ENDED", message: "Gone." }],
      [201, instance("CREATING")],
      [200, instance("ONLINE")],
      [200, { package_name: "app", is_open: true }],
      [201, { url: "http://here/embed/key", expires_at: "2027-01-01T00:00:00Z" }],
    ]);
    const start = ["preview", "start", await app(), "--recipe", "phone", "--name", "PR 12", "--hours", "24"];
    expect(await run(...start, "--look-only")).toEqual({ exitCode: 0, stdout: "http://here/embed/key\n", stderr: "" });
    expect(calls.filter(({ path }) => path.includes("stop")).map(({ path }) => path)).toEqual([
      stopped.replace(uuid, other),
    ]);
    expect(calls.map(({ body }) => body).filter((body) => body !== undefined)).toMatchObject([
      { instance_name: "PR 12", timeouts: { inactivity: 0, global: 1440 } },
      { hours: 24, can_control: false },
    ]);
  });

  it("leaves no device behind that has no app or no link", async () => {
    const { calls, run } = commandLine([
      [200, page(recipe("phone", "x86_64"))],
      [200, page()],
      [201, instance("CREATING")],
      [200, instance("ONLINE")],
      [400, { code: "APP_NOT_INSTALLED", message: "No app." }],
      [200, instance("STOPPING")],
    ]);
    expect((await run("preview", "start", await app(), "--recipe", "phone")).exitCode).toBe(4);
    expect(calls.at(-1)?.path).toContain("/stop-disposable");
  });

  it("is stopped by its name, if there is one", async () => {
    const { calls, run } = commandLine([[200, page(instance("ONLINE"))]]);
    expect((await run("preview", "stop", "two")).exitCode).toBe(2);
    expect(await run("preview", "stop", "one")).toMatchObject({ exitCode: 0, stdout: `${uuid}\n` });
    expect(calls.filter(({ path }) => path.includes("stop-disposable")).length).toBe(1);
  });
});

describe("a tunnel", () => {
  it("that the service refuses is no lost network", async () => {
    const device = instance("ONLINE", { adb_url: "ws://127.0.0.1:1" });
    const { run } = commandLine([
      [200, device],
      [403, { code: "API_TOKEN_NOT_SCOPED", message: "Not with this token." }],
    ]);
    expect(await run("instances", "shell", uuid, "id")).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining("Not with this token."),
    });
  });

  it("that finds no room for its file ends at once, and stands in nobody's way", async () => {
    await writeFile(join(folder, "adb"), "#!/bin/sh\n", { mode: 0o755 });
    const main = fileURLToPath(new URL("main.ts", import.meta.url));
    // Files stay empty, as on a full disk; an address that is never asked.
    const script = 'ulimit -f 0; exec "$0" "$1" instances adbconnect "$2"';
    const child = spawn("/bin/sh", ["-c", script, process.execPath, main, uuid], {
      env: {
        PATH: folder,
        TERRARIUM_CONFIG_HOME: folder,
        TERRARIUM_URL: "http://127.0.0.1:1",
        TERRARIUM_API_TOKEN: "t",
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, "close")) as [number];
    expect([code, stderr]).toEqual([1, expect.stringContaining("The tunnel has ended at once.")]);
    expect(await readdir(join(folder, "tunnels"))).toEqual([]);
  });

  it("that crashed is neither shown nor ended, whoever has its number now", async () => {
    const bystander = spawn("sleep", ["100"]);
    const file = join(folder, "tunnels", `${uuid}.json`);
    await mkdir(join(folder, "tunnels"));
    const tunnel = {
      uuid,
      pid: bystander.pid,
      port: 5555,
      serial: "127.0.0.1:5555",
      state: "CONNECTED",
      problem: "",
      exit: "NO_ERROR",
    };
    await writeFile(file, JSON.stringify(tunnel));
    const shown = () => commandLine([[200, page(instance("ONLINE"))]]).run("instances", "list");
    expect((await shown()).stdout).toContain("127.0.0.1:5555");
    const longAgo = Date.now() / 1000 - 120;
    await utimes(file, longAgo, longAgo);
    expect((await shown()).stdout).not.toContain("127.0.0.1:5555");
    await writeFile(file, JSON.stringify(tunnel));
    await utimes(file, longAgo, longAgo);
    await commandLine().run("instances", "adbdisconnect", uuid);
    expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
    bystander.kill();
    // One that was cut short stands in nobody's way.
    await writeFile(file, "{");
    await utimes(file, longAgo, longAgo);
    await shown();
    await expect(stat(file)).rejects.toThrow(/ENOENT/);
  });
});

describe("a scenario", () => {
  const run = (status: string, more: object = {}) => ({
    uuid: other,
    name: null,
    status,
    started_at: "2026-03-02T09:00:00.000Z",
    elapsed_ms: 1_000,
    duration_ms: 60_000,
    round: 1,
    rounds: 2,
    step: 0,
    steps: [{ name: null, kinds: ["battery"], at_ms: 0, duration_ms: 0 }],
    ...more,
  });
  const withFile = async (text = "steps:\n  - battery: { level: 9 }\n") => {
    const file = join(folder, "a.yaml");
    await writeFile(file, text);
    return file;
  };

  it("is looked at, with what is wrong on which line", async () => {
    const { run: terrarium, calls } = commandLine();
    expect(await terrarium("scenarios", "validate", await withFile())).toMatchObject({ exitCode: 0 });
    const bad = await withFile("steps:\n  - battery: { level: 900 }\n");
    const { exitCode, stderr } = await terrarium("scenarios", "validate", bad);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${bad}:2 steps[0].battery.level: `)]);
    const worse = await terrarium(
      "scenarios",
      "validate",
      await withFile("steps:\n  - battery: { level: 900 }\n  - {}\n"),
    );
    expect(worse.stderr).toMatch(/^Error: \S+ is no scenario\.\n {2}\S+:2 .*\n {2}\S+:3 .*\n$/);
    expect((await terrarium("scenarios", "validate", "/nosuch")).exitCode).toBe(2);
    expect(calls).toEqual([]);
  });

  it("is run as it is written, and waited for", async () => {
    const replies: Reply[] = [run("running"), { run: run("running") }, { run: run("finished") }].map((body) => [
      200,
      body,
    ]);
    const { run: terrarium, calls } = commandLine(replies, { clock: new PassingClock() });
    expect(await terrarium("scenarios", "run", await withFile(), uuid)).toMatchObject({
      exitCode: 0,
      stdout: "Finished.\n",
    });
    const body = { scenario: { steps: [{ battery: { level: 9 } }] }, dry_run: false };
    expect(calls[0]).toMatchObject({ path: `POST http://here/cloud/v1/instances/${uuid}/scenario`, body });
    expect(calls).toHaveLength(3);
  });

  it("is not waited for when it is detached, or only tried", async () => {
    for (const [option, said] of [
      ["--detach", "It runs.\n"],
      ["--dry-run", "It is possible, and takes 120.0 s.\n"],
    ] as const) {
      const { run: terrarium, calls } = commandLine([[201, run("running")]]);
      expect((await terrarium("scenarios", "run", await withFile(), uuid, option)).stdout).toBe(said);
      expect(calls).toMatchObject([{ body: { dry_run: option === "--dry-run" } }]);
    }
  });

  it.each([
    ["was stopped by another", run("stopped"), "It was stopped."],
    ["was followed by another", run("running", { uuid }), "Another scenario runs"],
  ])("fails when it %s", async (_, latest, words) => {
    const { run: terrarium } = commandLine([
      [201, run("running")],
      [200, { run: latest }],
    ]);
    const { exitCode, stderr } = await terrarium("scenarios", "run", await withFile(), uuid);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(words)]);
  });

  it("is stopped when the person has enough of it", async () => {
    const over = new AbortController();
    const replies: Reply[] = [
      [201, run("running")],
      [200, { run: run("running") }],
      [200, run("stopped")],
    ];
    const clock = new TestClock();
    const { run: terrarium, calls } = commandLine(replies, { clock, signal: over.signal });
    const ended = terrarium("scenarios", "run", await withFile(), uuid);
    await expect.poll(() => calls.length).toBe(2);
    over.abort();
    expect((await ended).exitCode).toBe(130);
    expect(calls.at(-1)).toMatchObject({ body: { status: "stopped" } });
  });

  it("is shown, paused, resumed, stopped, and made of what people did", async () => {
    const shown = commandLine([[200, { run: run("running") }]]);
    expect((await shown.run("scenarios", "show", uuid)).stdout).toBe(
      "running: 1.0 s of 60.0 s, step 1 of 1 (battery), round 1 of 2\n",
    );
    expect((await commandLine([[200, { run: null }]]).run("scenarios", "show", uuid)).stdout).toMatch(/^No scenario/);
    const changed = commandLine([[200, run("paused")]]);
    for (const verb of ["pause", "resume", "stop"]) await changed.run("scenarios", verb, uuid);
    expect(changed.calls.map(({ body }) => body)).toEqual(
      ["paused", "running", "stopped"].map((status) => ({ status })),
    );
    const recorded = commandLine([[200, { scenario: { steps: [{ after: 0, clipboard: "x" }] } }]]);
    expect((await recorded.run("scenarios", "recorded", uuid)).stdout).toBe("steps:\n  - after: 0\n    clipboard: x\n");
    expect((await commandLine([[200, { scenario: null }]]).run("scenarios", "recorded", uuid)).exitCode).toBe(1);
    expect(JSON.parse((await recorded.run("scenarios", "schema")).stdout)).toMatchObject({ required: ["steps"] });
  });
});

describe("apply", () => {
  const write = async (text: string, name = "device.yaml") => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const complete = (name: string, profile: string, image: string) => ({
    ...recipe(name, "x86_64"),
    hardware_profile: { uuid: profile },
    os_image: { uuid: image },
  });

  it.each([
    ["name: one\n", 1, "recipe: Give a recipe, or a profile and an image"],
    ["name: one\nrecipe: a\nprofile: b\nimage: c\n", 2, "recipe: Give a recipe"],
    ["name: one\nprofile: b\n", 1, "recipe: Give a recipe"],
    ["name: one\nrecipe: a\nsettings:\n  density: high\n", 4, "settings.density: "],
    ["name: one\nrecipe: a\nsettings:\n  global:\n    a b: 1\n", 5, "settings.global"],
    ["name: one\nrecipe: a\nrun_for: 3 days\n", 3, 'run_for: Use minutes, or a time such as "90m"'],
    ["name: one\nrecipe: a\nsize: 7\n", 1, 'Unrecognized key: "size"'],
    ["name: [\n", 2, ""],
  ])("says what is wrong with %j, and on which line", async (text, line, words) => {
    const { run, calls } = commandLine();
    const file = await write(text);
    const { exitCode, stderr } = await run("apply", "-f", file);
    expect([exitCode, calls, stderr]).toEqual([2, [], expect.stringContaining(`${file}:${line} ${words}`)]);
  });

  it("asks for its files, and for those that they name, from where they are", async () => {
    const { run, calls } = commandLine();
    expect((await run("apply")).exitCode).toBe(2);
    expect(await run("apply", "-f", await write("name: one\nrecipe: a\napps: [no.apk]\n"))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(join(folder, "no.apk")),
    });
    await write("steps: []\n", "way.yaml");
    expect(await run("apply", "-f", await write("name: one\nrecipe: a\nscenario: way.yaml\n"))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`${join(folder, "way.yaml")}:1 steps: `),
    });
    expect(calls).toEqual([]);
    const schema = JSON.parse((await run("apply", "--schema")).stdout);
    expect(schema).toMatchObject({ required: ["name"], properties: { apps: { type: "array" } } });
  });

  it("says what it would do, and does nothing of it", async () => {
    await write("a", "a.apk");
    await write("name: home\nsteps:\n  - battery: { level: 9 }\n", "way.yaml");
    const rest = "apps: [a.apk]\nscenario: way.yaml\nsettings: { dark: true, density: 320, system: { x: true } }\n";
    const { run, calls } = commandLine([
      [200, page(recipe("Phone", "x86_64"))],
      [200, page(instance("STOPPING"))],
    ]);
    expect((await run("apply", "--dry-run", "-f", await write(`name: one\nrecipe: Phone\n${rest}`))).stdout).toBe(
      `${[
        'Start the device "one" from "Phone".',
        "Install a.apk.",
        "Set dark: true.",
        "Set density: 320.",
        "Set system.x: 1.",
        'Run the scenario "home".',
      ].join("\n")}\n`,
    );
    expect(calls.filter(({ path }) => !path.startsWith("GET"))).toEqual([]);
  });

  it("finds the recipe of a profile and an image, or makes it", async () => {
    const pair = "name: one\nprofile: Fern\nimage: Android 15\n";
    const found = (recipes: unknown[]): Reply[] => [
      [200, page({ uuid, name: "Fern" }, { uuid: other, name: "Fern XL" })],
      [
        200,
        page(
          { uuid: other, name: "Android 15", arch: "arm64", is_official: true },
          { uuid, name: "Android 15", arch: "x86_64", is_official: true },
        ),
      ],
      [200, page(...recipes)],
      [200, page()],
    ];
    const apply = async (recipes: unknown[]) =>
      (await commandLine(found(recipes)).run("apply", "--dry-run", "-f", await write(pair))).stdout;
    expect(await apply([complete("Any", uuid, other), complete("Mine", uuid, uuid)])).toBe(
      'Start the device "one" from "Mine".\n',
    );
    expect(await apply([complete("Any", uuid, other)])).toBe(
      'Make the recipe "one" of "Fern" and "Android 15".\nStart the device "one" from "one".\n',
    );
    const { run } = commandLine([[200, page({ uuid, name: "Fern XL" })]]);
    expect(await run("apply", "--dry-run", "-f", await write(pair))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/No hardware profile is called "Fern".*Fern XL/),
    });
  });

  it("leaves a device alone that runs by this name from another recipe", async () => {
    const { run, calls } = commandLine([
      [200, page(recipe("Phone", "x86_64"))],
      [200, page(instance("ONLINE", { recipe: { uuid: other, name: "Tablet" } }))],
    ]);
    expect(await run("apply", "-f", await write("name: one\nrecipe: Phone\n"))).toMatchObject({
      exitCode: 10,
      stderr: expect.stringContaining(`runs already, from the recipe "Tablet"`),
    });
    expect(calls).toHaveLength(2);
  });
});

describe("completion", () => {
  it("knows commands and options", () => {
    const { program } = createProgram(recordedTerminal({ folder }).terminal);
    expect(completionsOf(program, ["ins"])).toEqual(["instances"]);
    expect(completionsOf(program, ["instances", "st"])).toEqual(["start", "stop"]);
    expect(completionsOf(program, ["instances", "start", "--max"])).toEqual(["--max-run-duration"]);
    expect(completionsOf(program, ["apply", "--"])).toEqual(
      expect.arrayContaining(["--file", "--dry-run", "--schema"]),
    );
    expect(completionsOf(program, ["lo"])).toEqual(["login"]);
    expect(completionsOf(program, [""])).not.toContain("complete");
  });
});
