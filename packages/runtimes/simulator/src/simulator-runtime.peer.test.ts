import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { aborted, systemClock } from "@terrarium/clock";
import { aMachineSpec, describeRuntime } from "@terrarium/runtime/testing";
import { HostClient } from "@terrarium/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { simulatorRuntime } from "./simulator-runtime.ts";
import { socketPath } from "./spawn-host.ts";

const none = new AbortController().signal;
const run = promisify(execFile);

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), "sim-"))));
afterEach(async () => {
  const last = simulatorRuntime({ dataDir, clock: systemClock, log: () => undefined });
  await last.shutdown();
  rmSync(dataDir, { recursive: true, force: true });
});
const make = (more: { maxDevices?: number; orphanMs?: number } = {}) =>
  simulatorRuntime({ dataDir, clock: systemClock, log: () => undefined, ...more });

describeRuntime("simulator", async () => {
  const runtime = make({ maxDevices: 3 });
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
    dispose: async () => {
      for (const one of opened) await one.close();
    },
  };
});

async function shell({ host, port }: { host: string; port: number }, command: string): Promise<string> {
  const socket = connect(port, host);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  const link = await connectAdb(nodeSocketDuplex(socket));
  try {
    return (await link.shell(command)).stdout;
  } finally {
    link.close();
  }
}

/** The host's own line in its log. */
const hostPid = () => Number(/host (\d+) listens/.exec(readFileSync(join(dataDir, "simulator.log"), "utf8"))![1]);

describe("the simulator's host", () => {
  it("outlives a server that is killed and is adopted by the next, with all that is on its devices", async () => {
    const program = join(dataDir, "server.ts");
    writeFileSync(
      program,
      `import { simulatorRuntime } from ${JSON.stringify(new URL("./simulator-runtime.ts", import.meta.url).href)};
       import { systemClock } from ${JSON.stringify(new URL("../../../clock/src/index.ts", import.meta.url).href)};
       const runtime = simulatorRuntime({ dataDir: ${JSON.stringify(dataDir)}, clock: systemClock, log: () => {} });
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
    const runtime = make({ orphanMs: 200 });
    const { adb } = await runtime.start(aMachineSpec(), none);
    await shell(adb, "yes | head -c 3m > /sdcard/Download/big");
    expect(readdirSync(join(dataDir, "simulator-files"), { recursive: true })).toHaveLength(3);
    // It only listens: what counts as adoption is to watch.
    const bystander = (await HostClient.connect(socketPath(dataDir)))!;
    await runtime.close();
    await aborted(bystander.closed);
    expect(readdirSync(dataDir).toSorted()).toEqual(["simulator.log"]);
  });

  it("lets no second host onto its socket, and takes over the socket of one that was killed", async () => {
    const runtime = make();
    const machine = await runtime.start(aMachineSpec(), none);
    const pid = hostPid();
    const main = new URL("./host-main.ts", import.meta.url).pathname;
    const second = run(process.execPath, [main, "--socket", socketPath(dataDir), "--files", join(dataDir, "other")]);
    await expect(second).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining("another host answers") });
    expect(machine.gone.aborted).toBe(false);

    process.kill(pid, "SIGKILL");
    await aborted(machine.gone);
    expect(await runtime.list()).toEqual([]);
    const again = await runtime.start(aMachineSpec({ boot: 2 }), none);
    expect(await shell(again.adb, "echo here")).toBe("here\n");
    await runtime.close();
  });

  it("does without a data folder whose path is too long for a socket", () => {
    expect(Buffer.byteLength(socketPath(join(dataDir, "x".repeat(200))))).toBeLessThan(100);
  });
});
