import { execFile, spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { aborted, systemClock } from "@terrarium/clock";
import { processesWith } from "@terrarium/runtime";
import { aMachineSpec, describeRuntime, MemoryLayers } from "@terrarium/runtime/testing";
import { HostClient } from "@terrarium/simulator";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { HOST_ACCOUNT } from "./host-account.ts";
import { prepareFolders, socketIn } from "./host-folders.ts";
import { simulatorRuntime, type SimulatorRuntimeOptions } from "./simulator-runtime.ts";
import { push, shell } from "./testing/with-link.ts";

const none = new AbortController().signal;
const run = promisify(execFile);

let dataDir: string;
const layers = new MemoryLayers();
/** The program of the hosts as the first one compiled it: each test has a folder of its own, in which it would be compiled anew. */
const compiled = mkdtempSync(join(tmpdir(), "sim-compiled-"));
afterAll(() => rmSync(compiled, { recursive: true }));
const compiledIn = (folder: string) => join(folder, "simulator/compiled");
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sim-"));
  mkdirSync(compiledIn(folder), { recursive: true, mode: 0o700 });
  cpSync(compiled, compiledIn(folder), { recursive: true });
  return folder;
}
beforeEach(() => {
  dataDir = newFolder();
  layers.stored.clear();
});
const make = (more: Partial<SimulatorRuntimeOptions> = {}) =>
  simulatorRuntime({ dataDir, clock: systemClock, log: () => undefined, layers, ...more });
async function clear(folder: string): Promise<void> {
  await make({ dataDir: folder }).shutdown();
  if (readdirSync(compiled).length === 0) cpSync(compiledIn(folder), compiled, { recursive: true });
  // A host whose socket is closed may be writing its last file still.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
afterEach(() => clear(dataDir));

const pathOf = (name: string) => `/sdcard/Download/${name}`;

describeRuntime(
  "simulator",
  async () => {
    const runtime = make({ maxDevices: 3, spread: 1 });
    const opened = [runtime];
    return {
      runtime,
      restarted: async () => {
        const again = make();
        opened.push(again);
        return again;
      },
      slots: 3,
      listens: true,
      // Its host does not answer, and with it a device that was being started.
      kill: async () => process.kill(await pidOf(), "SIGKILL"),
      stall: async () => {
        await runtime.prepare?.();
        await isReady(0);
        process.kill(await pidOf(), "SIGSTOP");
      },
      resources: async ({ adb }) => {
        const said = await shell(adb, "nproc; grep MemTotal /proc/meminfo");
        const [cpuCount, kilobytes] = said.match(/\d+/g)!.map(Number);
        return { cpuCount: cpuCount!, ramMb: kilobytes! / 1024 };
      },
      stranger: async () => {
        const other = newFolder();
        onTestFinished(() => clear(other));
        const stranger = make({ dataDir: other });
        opened.push(stranger);
        return stranger;
      },
      saving: {
        layers,
        elsewhere: async () => {
          const other = newFolder();
          onTestFinished(() => clear(other));
          const runtime = make({ dataDir: other });
          opened.push(runtime);
          return runtime;
        },
        write: ({ adb }, name, text) => push(adb, pathOf(name), Buffer.from(text)),
        read: async ({ adb }, name) => {
          const text = await shell(adb, `cat ${pathOf(name)} && echo -n .`);
          return text === "" ? undefined : text.slice(0, -1);
        },
        delete: async ({ adb }, name) => void (await shell(adb, `rm ${pathOf(name)}`)),
      },
      dispose: async () => {
        for (const one of opened) await one.close();
      },
    };
  },
  { save: true, stall: true, resources: true, stranger: true },
);

const socketOf = (host: number) => join(dataDir, "simulator", `${host}.sock`);

/** The process of the first host, or of another. */
async function pidOf(host = 0): Promise<number> {
  const [pid] = await processesWith(socketOf(host));
  if (pid === undefined) throw new Error(`no host ${host} runs`);
  return pid;
}

/** Waits until a host answers. */
async function isReady(host: number): Promise<void> {
  const answers = async () => {
    const client = await HostClient.connect(socketOf(host));
    client?.close();
    return client !== undefined;
  };
  await expect.poll(answers, { timeout: 60_000 }).toBe(true);
}

const spec = (id: number) => aMachineSpec({ id: `00000000-0000-4000-8000-00000000000${id}` });

describe("the simulator's host", () => {
  it("outlives a server that is killed and is adopted by the next, with all that is on its devices", async () => {
    const program = join(dataDir, "server.ts");
    writeFileSync(
      program,
      `import { simulatorRuntime } from ${JSON.stringify(new URL("./simulator-runtime.ts", import.meta.url).href)};
       import { systemClock } from ${JSON.stringify(new URL("../../../clock/src/index.ts", import.meta.url).href)};
       const runtime = simulatorRuntime({ dataDir: ${JSON.stringify(dataDir)}, clock: systemClock, log: () => {}, layers: {} });
       await runtime.start(${JSON.stringify(aMachineSpec())}, new AbortController().signal);
       console.log("started");
       setInterval(() => {}, 1000);`,
    );
    const server = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((resolve) => server.stdout.once("data", resolve));
    const runtime = make();
    const before = (await runtime.adopt({ id: aMachineSpec().id, boot: 1 }))!;
    await shell(before.adb, "echo kept > /sdcard/Download/note");
    await runtime.close();
    server.kill("SIGKILL");
    await new Promise((resolve) => server.once("exit", resolve));

    const next = make();
    expect(await next.list()).toEqual([{ id: aMachineSpec().id, boot: 1 }]);
    const machine = (await next.adopt({ id: aMachineSpec().id, boot: 1 }))!;
    expect(machine.adb).toEqual(before.adb);
    expect(
      await shell(
        machine.adb,
        'cat /sdcard/Download/note; until [ -n "$(getprop sys.boot_completed)" ]; do sleep 0.01; done; echo up',
      ),
    ).toBe("kept\nup\n");
    await next.close();
  });

  it("ends by itself when nobody adopts it, and leaves no files", async () => {
    const runtime = make({ orphanMs: 500, spread: 1 });
    const { adb } = await runtime.start(aMachineSpec(), none);
    await shell(adb, "yes | head -c 3m > /sdcard/Download/big");
    expect(readdirSync(join(dataDir, "simulator/0"), { recursive: true })).toHaveLength(3);
    // It only listens: what counts as adoption is to watch.
    const bystander = (await HostClient.connect(socketOf(0)))!;
    await runtime.close();
    await aborted(bystander.closed);
    expect(readdirSync(join(dataDir, "simulator"))).toEqual(["compiled"]);
  });

  it("lets no second host onto its socket, and takes over the socket of one that was killed", async () => {
    const runtime = make({ spread: 1 });
    const machine = await runtime.start(aMachineSpec(), none);
    const pid = await pidOf(0);
    const main = new URL("./host-main.ts", import.meta.url).pathname;
    const second = run(process.execPath, [main, "--socket", socketOf(0), "--files", join(dataDir, "other")]);
    await expect(second).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining("another host answers") });
    expect(machine.gone.aborted).toBe(false);

    process.kill(pid, "SIGKILL");
    await aborted(machine.gone);
    expect(await runtime.list()).toEqual([]);
    const again = await runtime.start(aMachineSpec({ boot: 2 }), none);
    expect(await shell(again.adb, "echo here")).toBe("here\n");
    await runtime.close();
  });

  it("is one of several, all of which are adopted after a server", async () => {
    const runtime = make({ spread: 3 });
    await runtime.prepare?.();
    for (const id of [1, 2, 3]) {
      await runtime.start(spec(id), none);
      // The host that is started ahead is to be there for the next device.
      if (id < 3) await isReady(id);
    }
    await runtime.close();
    const next = make();
    expect((await next.list()).map(({ id }) => id).toSorted()).toEqual([1, 2, 3].map((id) => spec(id).id));
    const machines = await Promise.all([1, 2, 3].map((id) => next.adopt(spec(id))));
    for (const machine of machines) expect(await shell(machine!.adb, "echo here")).toBe("here\n");
    await next.close();
  });

  it("is ended and replaced when it does not answer, which harms none of the other hosts' devices", async () => {
    const runtime = make({ spread: 2, heartbeatMs: 1_000 });
    const stopped = await runtime.start(spec(1), none);
    await isReady(1);
    const other = await runtime.start(spec(2), none);
    const pid = await pidOf(0);
    process.kill(pid, "SIGSTOP");
    const starting = runtime.start({ ...spec(1), boot: 2 }, none);
    await aborted(stopped.gone);
    expect(String(stopped.gone.reason)).toContain("the host process did not answer and was ended");
    expect(await processesWith(socketOf(0))).not.toContain(pid);
    expect(await shell(other.adb, "echo here")).toBe("here\n");
    expect(await shell((await starting).adb, "echo again")).toBe("again\n");
    await runtime.close();
  });

  it("is ended by a shutdown even if it is stopped", async () => {
    const runtime = make({ spread: 1 });
    await runtime.start(spec(1), none);
    const pid = await pidOf(0);
    process.kill(pid, "SIGSTOP");
    await runtime.shutdown();
    await expect.poll(() => processesWith(socketOf(0))).toEqual([]);
  });

  it("gets none of the server's environment, and an account of its own if the server is root", async () => {
    const lines: string[] = [];
    const runtime = make({ spread: 1, log: (line) => lines.push(line) });
    process.env.A_SECRET = "hidden";
    onTestFinished(() => void delete process.env.A_SECRET);
    chmodSync(dataDir, 0o755);
    const { adb } = await runtime.start(spec(1), none);
    const pid = await pidOf(0);
    const names = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
    expect(names.map((one) => one.split("=")[0])).toEqual(["MALLOC_MMAP_THRESHOLD_", "NODE_COMPILE_CACHE", "HOME"]);
    const uid = Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);
    const runsAsRoot = lines.some((line) => line.startsWith("the simulator's hosts run as root: "));
    expect(uid).toBe(process.getuid!() === 0 && !runsAsRoot ? HOST_ACCOUNT.uid : process.getuid!());
    // It works there: a file too large for memory goes to the disk.
    expect(await shell(adb, "yes | head -c 3m > /sdcard/Download/big; wc -c < /sdcard/Download/big")).toBe("3145728\n");
    await runtime.close();
  });

  it.runIf(process.getuid?.() === 0)("runs as root, and the log says so, where its account cannot go", async () => {
    const lines: string[] = [];
    // mkdtemp lets nobody else in.
    const runtime = make({ spread: 1, log: (line) => lines.push(line) });
    await runtime.start(spec(1), none);
    expect(lines[0]).toContain(`the simulator's hosts run as root: account ${HOST_ACCOUNT.uid} cannot read `);
    expect(await shell((await runtime.adopt(spec(1)))!.adb, "echo here")).toBe("here\n");
    // What it left is handed on once the account may go there.
    await runtime.shutdown();
    chmodSync(dataDir, 0o755);
    const next = make({ spread: 1 });
    await next.start(spec(1), none);
    await next.close();
  });

  it("does without a data folder whose path is too long for a socket", () => {
    const long = join(dataDir, "x".repeat(200));
    const { sockets } = prepareFolders(long, undefined);
    onTestFinished(() => rmSync(sockets, { recursive: true }));
    expect(Buffer.byteLength(socketIn(sockets, 1))).toBeLessThan(100);
    chmodSync(sockets, 0o755);
    expect(() => prepareFolders(long, undefined)).toThrow("is not a folder of the simulator's hosts alone");
  });
});
