import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { aborted, type Clock, systemClock, TestClock } from "@terrarium/clock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreateScreen, Screen } from "../device/screen.ts";
import { aSpec } from "../testing/a-spec.ts";
import { createPlainScreen } from "../testing/plain-screen.ts";
import { DeviceHost } from "./device-host.ts";
import { STACK_FILE } from "./device-save.ts";

let folder: string;
let host: DeviceHost;
const logged: string[] = [];

let closeFails = false;
let screens: Screen[] = [];

/** A screen with mistakes in it. */
const brokenScreen: CreateScreen = (screenHost) => {
  const screen = createPlainScreen(screenHost);
  screens.push(screen);
  screen.text = () => {
    throw new Error("a mistake in an app");
  };
  const close = screen.close.bind(screen);
  screen.close = () => {
    close();
    if (!closeFails) return;
    closeFails = false;
    throw new Error("a mistake in the screen");
  };
  return screen;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "host-"));
  logged.length = 0;
  screens = [];
  host = createHost();
});
afterEach(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

const createHost = (clock: Clock = systemClock) =>
  new DeviceHost({
    clock,
    createScreen: brokenScreen,
    maxDevices: 5,
    maxDiskBytes: 1 << 24,
    spillFolder: join(folder, "spill"),
    log: (line) => logged.push(line),
  });

async function link({ adb }: { adb: { host: string; port: number } }) {
  const socket = connect(adb.port, adb.host);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return connectAdb(nodeSocketDuplex(socket));
}

describe("DeviceHost", () => {
  it("ends a device that cannot reboot, says why in the log, and leaves the others", async () => {
    const [one, other] = [
      await link(await host.start(aSpec({ id: "a" }))),
      await link(await host.start(aSpec({ id: "b" }))),
    ];
    const gone = new Promise((resolve) => host.watch({ started: () => undefined, gone: resolve }));
    closeFails = true;
    await one.shell("input tap 1 1; reboot").catch(() => undefined);
    expect(await gone).toEqual({ id: "a", boot: 1, reason: "crashed" });
    expect(logged).toEqual([expect.stringContaining("device a boot 1 crashed: Error: a mistake in the screen")]);
    expect((await other.shell("echo here")).stdout).toBe("here\n");
    expect(host.size).toBe(1);
    // It can be started again.
    const again = await link(await host.start(aSpec({ id: "a", boot: 2 })));
    expect((await again.shell("echo again")).stdout).toBe("again\n");
  });

  it("paints home as a device boots, and gives the memory back where nobody looks", async () => {
    const clock = new TestClock();
    const own = createHost(clock);
    try {
      await own.start(aSpec());
      await vi.waitFor(() => expect(screens[0]?.pixels.length).toBeGreaterThan(0));
      await clock.advance(9_999);
      expect(screens[0]?.pixels.length).toBeGreaterThan(0);
      await clock.advance(1);
      expect(screens[0]?.pixels).toHaveLength(0);
    } finally {
      await own.close();
    }
  });

  it("ends only the command whose code throws, and says so in the log", async () => {
    const one = await link(await host.start(aSpec({ id: "a" })));
    expect(await one.shell("input text x")).toEqual({ stdout: "", stderr: "shell: internal error\n", exitCode: 1 });
    expect(logged).toEqual([expect.stringContaining("device a boot 1 a service threw: Error: a mistake in an app")]);
    expect((await one.shell("echo alive")).stdout).toBe("alive\n");
  });

  it("loses nothing but the connection of a host that does not wait for OKAY", async () => {
    const machine = await host.start(aSpec());
    const other = await link(machine);
    const socket = connect(machine.adb.port, machine.adb.host);
    socket.on("error", () => undefined);
    const packet = (command: string, arg0: number, arg1: number, payload: string) => {
      const bytes = Buffer.alloc(24 + payload.length);
      bytes.write(command, 0, "latin1");
      bytes.writeUInt32LE(arg0, 4);
      bytes.writeUInt32LE(arg1, 8);
      bytes.writeUInt32LE(payload.length, 12);
      bytes.writeUInt32LE(~bytes.readUInt32LE(0) >>> 0, 20);
      bytes.write(payload, 24, "latin1");
      return bytes;
    };
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("data", (data) => {
      // Not before the stream is open: what comes earlier is dropped.
      if (data.includes("OKAY"))
        for (let each = 0; each < 10; each++) socket.write(packet("WRTE", 1, 1, "A".repeat(100)));
    });
    socket.write(Buffer.concat([packet("CNXN", 0x01000001, 1 << 20, "host::"), packet("OPEN", 1, 0, "sync:\0")]));
    await closed;
    expect((await other.shell("echo alive")).stdout).toBe("alive\n");
    expect(host.size).toBe(1);
    expect(logged).toEqual([]);
  });

  it("stops a device while it is saved, so that nothing changes, and lets it run on afterwards", async () => {
    const ref = await host.start(aSpec());
    const before = await link(ref);
    const loop = before.shell("while true; do date > /data/local/tmp/now; done").catch(() => undefined);
    const save = await host.beginSave(ref);
    await expect(host.beginSave(ref)).rejects.toThrow("the device is being saved already");
    await aborted(before.gone);
    await loop;
    await save.written;
    expect(JSON.parse(readFileSync(join(save.folder, STACK_FILE), "utf8"))).not.toEqual([]);
    await host.endSave(ref);
    expect(readdirSync(join(folder, "spill"))).toEqual([]);
    expect((await (await link(ref)).shell("echo 1 > /data/local/tmp/a; cat /data/local/tmp/a")).stdout).toBe("1\n");
    // It may be saved again, and a save ends with its device.
    const last = await host.beginSave(ref);
    await host.stop(ref.id, ref.boot);
    await last.ended;
    expect(readdirSync(join(folder, "spill"))).toEqual([]);
    await expect(host.beginSave(ref)).rejects.toThrow("the device does not run");
  });

  it("says what is wrong with a spec and takes no place for it", async () => {
    await expect(host.start(aSpec({ image: { sdkVersion: 99 } }))).rejects.toMatchObject({
      code: "FAILED",
      message: "no Android has API level 99",
    });
    expect(host.size).toBe(0);
  });

  it("survives garbage on the adb port", async () => {
    const machine = await host.start(aSpec());
    for (const bytes of [Buffer.from("GET / HTTP/1.1\r\n\r\n"), Buffer.alloc(100_000, 0xff), Buffer.from("CNXN")]) {
      await new Promise((resolve) => {
        const socket = connect(machine.adb.port, machine.adb.host, () => socket.end(bytes));
        socket.once("close", resolve);
        socket.on("error", resolve);
        socket.resume();
      });
    }
    expect((await (await link(machine)).shell("echo alive")).stdout).toBe("alive\n");
    expect(logged).toEqual([]);
  });
});
