import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HostClient, type HostedMachine } from "@terrarium/simulator";
import { aSpec, openSession } from "@terrarium/simulator/testing";
import { colourAt, H264Decoder } from "@terrarium/video/testing";

const DEVICES = 200;

const idOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
const display = { displays: [{ width: 1080, height: 2400, density: 420 }] };

let folder: string;
let pid: number;
let client: HostClient;
let before: number;
const machines: HostedMachine[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "idle-"));
  const main = new URL("./host-main.ts", import.meta.url).pathname;
  const host = spawn(process.execPath, [main, "--socket", join(folder, "s"), "--files", join(folder, "f")], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, MALLOC_MMAP_THRESHOLD_: "131072" },
  });
  pid = host.pid!;
  await new Promise((resolve) => host.stdout.once("data", resolve));
  client = (await HostClient.connect(join(folder, "s")))!;
  await client.ask("watch", {});
  before = residentKib();
  for (let at = 0; at < DEVICES; at++)
    machines.push(await client.ask("start", { spec: aSpec({ id: idOf(at), hardware: display }) }));
});
afterAll(async () => {
  await client.ask("shutdown", {});
  rmSync(folder, { recursive: true, force: true });
});

/** Resident memory of the host. */
const residentKib = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);

async function link(id: string) {
  const { adb } = machines.find((one) => one.id === id)!;
  const socket = connect(adb.port, adb.host);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return connectAdb(nodeSocketDuplex(socket));
}

describe("a host with many devices", () => {
  it(`holds ${DEVICES} idle ones, each on a port of its own that no adb server scans`, async () => {
    const ports = machines.map(({ adb }) => adb.port);
    expect(new Set(ports).size).toBe(DEVICES);
    expect(ports.filter((port) => port >= 5554 && port <= 5585)).toEqual([]);
    // Home was painted as they booted, for whoever might look at once.
    await expect.poll(residentKib, { timeout: 30_000 }).toBeLessThan(400 * 1024);
    console.log(
      `${DEVICES} idle devices: ${Math.round(residentKib() / 1024)} MiB resident, ${Math.round(before / 1024)} MiB before`,
    );
  });

  it("ends a device that powers itself off, and no other", async () => {
    const gone = new Promise((resolve) => (client.watcher = { started: () => undefined, gone: resolve }));
    const [one, other] = [await link(idOf(0)), await link(idOf(1))];
    expect((await one.shell("reboot -p")).exitCode).toBe(0);
    expect(await gone).toEqual({ id: idOf(0), boot: 1, reason: "powered off" });
    expect((await other.shell("echo here")).stdout).toBe("here\n");
    other.close();
  });

  it("is not held up by an expression that would take for ever", async () => {
    const adb = await link(idOf(2));
    const { exitCode } = await adb.shell(`echo ${"a".repeat(60)}! | grep -qE '(a+)+$'`);
    expect(exitCode).toBe(1);
    adb.close();
  });

  it("gives back what pictures took when those who watched have gone", async () => {
    const untouched = residentKib();
    const watched = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const adb = await link(idOf(10 + at));
        const session = await openSession(adb);
        while ((await session.next())?.type !== "frame");
        return { adb, session };
      }),
    );
    for (const { adb, session } of watched) {
      session.close();
      adb.close();
    }
    // What paints and encodes stays loaded, some 50 MB for all; a picture of this size is 10 MB, and each had three.
    await expect.poll(residentKib, { timeout: 5_000 }).toBeLessThan(untouched + 120 * 1024);
  });

  it("shows the drawn home screen to a scrcpy client, then the same a little better", async () => {
    const adb = await link(idOf(3));
    const session = await openSession(adb);
    const decoder = new H264Decoder();
    let size: number[] = [];
    const colours: number[] = [];
    while (colours.length < 2) {
      const event = await session.next();
      if (!event) throw new Error("the video ended");
      if (event.type === "session") size = [event.width, event.height];
      if (event.type === "config") decoder.config(event.data);
      if (event.type !== "frame") continue;
      const picture = decoder.decode(event.data);
      expect([picture.width, picture.height]).toEqual(size);
      const places = Array.from({ length: 500 }, (_, at) => [(at * 7) % picture.width, (at * 31) % picture.height]);
      colours.push(new Set(places.map(([x, y]) => colourAt(picture, x!, y!).join())).size);
    }
    expect(Math.min(...colours)).toBeGreaterThan(20);
    decoder.close();
    session.close();
    adb.close();
  });
});
