import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { systemClock } from "@terrarium/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreateScreen } from "../device/screen.ts";
import { aSpec } from "../testing/a-spec.ts";
import { createPlainScreen } from "../testing/plain-screen.ts";
import { DeviceHost } from "./device-host.ts";

let folder: string;
let host: DeviceHost;
const logged: string[] = [];

/** A screen with a mistake in it. */
const brokenScreen: CreateScreen = (screenHost) => {
  const screen = createPlainScreen(screenHost);
  screen.text = () => {
    throw new Error("a mistake in an app");
  };
  return screen;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "host-"));
  logged.length = 0;
  host = new DeviceHost({
    clock: systemClock,
    createScreen: brokenScreen,
    maxDevices: 5,
    maxDiskBytes: 1 << 24,
    spillFolder: join(folder, "spill"),
    log: (line) => logged.push(line),
  });
});
afterEach(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

async function link({ adb }: { adb: { host: string; port: number } }) {
  const socket = connect(adb.port, adb.host);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return connectAdb(nodeSocketDuplex(socket));
}

describe("DeviceHost", () => {
  it("ends a device whose code throws, says why in the log, and leaves the others", async () => {
    const [one, other] = [
      await link(await host.start(aSpec({ id: "a" }))),
      await link(await host.start(aSpec({ id: "b" }))),
    ];
    const gone = new Promise((resolve) => host.watch(resolve));
    await expect(one.shell("input text x")).rejects.toMatchObject({ name: "AdbError" });
    expect(await gone).toEqual({ id: "a", boot: 1, reason: "crashed" });
    expect(logged).toEqual([expect.stringContaining("device a boot 1 crashed: Error: a mistake in an app")]);
    expect((await other.shell("echo here")).stdout).toBe("here\n");
    expect(await host.list()).toMatchObject([{ id: "b" }]);
    // It can be started again.
    expect((await (await link(await host.start(aSpec({ id: "a", boot: 2 })))).shell("echo again")).stdout).toBe(
      "again\n",
    );
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
