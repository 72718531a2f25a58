import { connectAdb } from "@terrarium/adb";
import { hasStockAdb, type StockAdb, startStockAdb } from "@terrarium/adb/testing";
import { aborted, systemClock } from "@terrarium/clock";
import type { AdbAddress, DeviceRuntime, Machine } from "@terrarium/runtime";
import { aMachineSpec } from "@terrarium/runtime/testing";
import { adbPool } from "@terrarium/runtime-adb-pool";
import { type Phone, somePhones } from "@terrarium/runtime-adb-pool/testing";
import { makeApk } from "@terrarium/simulator/testing";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Cleanup } from "../platform/clean-up.ts";
import { dial } from "./dial.ts";
import { createDisplayHost } from "./display-host.ts";
import { TestPlayer } from "./testing/test-player.ts";
import { DEVICE, TOKEN } from "./testing/test-viewer-server.ts";
import { cleanUpWebRtc } from "./viewers/web-rtc-peer.ts";

const none = new AbortController().signal;
const hasAdb = await hasStockAdb();
if (!hasAdb) console.warn("skipped: phones of an adb server, since this machine has no adb");

/** Two simulated devices stand in for phones. The adb server between them and us is the stock one. */
describe.skipIf(!hasAdb)("phones of an adb server, lent by the pool", () => {
  const cleanup = new Cleanup();
  const logged: string[] = [];
  let adb: StockAdb;
  let phones: Phone[];
  let dataDir: string;
  let pool: DeviceRuntime;
  let displays: ReturnType<typeof createDisplayHost>;
  const spec = aMachineSpec({ id: DEVICE });
  spec.image.artefact = "model:Fern 61";

  const serialOf = ({ address }: Phone) => `${address.host}:${address.port}`;
  const open = (): DeviceRuntime => {
    const made = adbPool({
      dataDir,
      clock: systemClock,
      log: (line) => logged.push(line),
      adbKey: () => Promise.reject(new Error("the adb server has the key")),
      server: { host: "127.0.0.1", port: Number(adb.env["ANDROID_ADB_SERVER_PORT"]) },
      lendsLoopback: true,
      graceMs: 0,
    });
    cleanup.add(() => made.close());
    return made;
  };
  const link = (address: AdbAddress) => connectAdb(dial(address), { signal: AbortSignal.timeout(20_000) });
  const own = async (serial: string, command: string) => (await adb.run(["-s", serial, "shell", command])).stdout;
  const plugIn = async (phone: Phone) => {
    await phone.plug();
    await adb.run(["disconnect", serialOf(phone)]);
    await adb.run(["connect", serialOf(phone)]);
  };
  const foundAs = async (key: string) => (await pool.found!()).find((device) => device.key === key);

  beforeAll(async () => {
    cleanup.add(cleanUpWebRtc);
    dataDir = await mkdtemp(join(tmpdir(), "pool-"));
    cleanup.add(() => rm(dataDir, { recursive: true, force: true }));
    const desk = await somePhones(2);
    cleanup.add(() => desk.stop());
    ({ phones } = desk);
    adb = await startStockAdb();
    cleanup.add(() => adb.stop());
    for (const phone of phones) await plugIn(phone);
    pool = open();
    const jar = randomBytes(50_000);
    displays = createDisplayHost({
      clock: systemClock,
      log: pino({ level: "silent" }),
      authorize: async (token) =>
        token === TOKEN ? { instanceUuid: DEVICE, user: "u1", role: "owner", credential: "c1" } : "wrong",
      ice: { bindAddress: "127.0.0.1" },
      onUse: () => undefined,
      scrcpyServer: { bytes: jar, sha256: createHash("sha256").update(jar).digest("hex") },
    });
    cleanup.add(() => displays.stop());
  });
  afterAll(() => cleanup.run());

  it("are found, with what they are", async () => {
    for (const phone of phones)
      expect(await foundAs(serialOf(phone))).toMatchObject({ name: "Terra Fern 61", isFree: true, problem: undefined });
  });

  it("show their screen, take touches and apps, and are clean for the next person", async () => {
    const machine: Machine = await pool.start(spec, none);
    // As a phone, to which scrcpy's server is pushed.
    const bare = { ...machine, capabilities: new Set<never>() };
    const session = await displays.connect(DEVICE, bare, none);
    await session.booted(none);
    const display = await session.openDisplay(none);
    const server = createServer();
    displays.serve(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const player = new TestPlayer(
      `ws://127.0.0.1:${(server.address() as AddressInfo).port}/cloud/instances/${DEVICE}/player`,
      TOKEN,
    );
    await player.until(() => player.pictures.length > 0 && player.eventsOpen);
    const before = player.pictures.length;
    player.event({ type: "MOUSE_PRESS", x: 46, y: 519 });
    player.event({ type: "MOUSE_RELEASE", x: 46, y: 519 });
    await player.until(() => player.pictures.length > before);

    const device = await link(machine.adb);
    const apk = makeApk({ packageName: "org.example.left" });
    await device.install({ size: apk.length, source: [apk] });
    const bytes = randomBytes(3_000_000);
    await device.push({ path: "/sdcard/Download/left", mtime: 1_700_000_000, source: [bytes] });
    const back = [];
    for await (const part of device.pull("/sdcard/Download/left")) back.push(part);
    expect(bytes.equals(Buffer.concat(back))).toBe(true);
    expect((await device.shell("exit 7")).exitCode).toBe(7);
    // What would act on the adb server, its computer or its other devices.
    for (const service of ["host:kill", "host:devices", "reverse:forward:tcp:0;tcp:22", "tcpip:5555", "usb:", "root:"])
      await expect(device.open(service)).rejects.toMatchObject({ code: "REFUSED" });
    const { key } = (await pool.found!()).find(({ isFree }) => !isFree)!;
    expect(await own(key, "pm list packages -3")).toBe("package:org.example.left\n");

    device.close();
    player.close();
    await display.close();
    await session.close();
    await new Promise((resolve) => server.close(resolve));
    await machine.stop();
    expect(await own(key, "pm list packages -3; ls -A /sdcard/Download /data/local/tmp")).not.toMatch(
      /left|scrcpy|terra/,
    );
    expect((await foundAs(key))!.isFree).toBe(true);
  });

  it("end their session when they are unplugged, and are lent again when they are back", async () => {
    const phone = phones[1]!;
    const key = serialOf(phone);
    const wanted = { ...spec, boot: 2, image: { ...spec.image, artefact: `serial:${key}` } };
    const machine = await pool.start(wanted, none);
    await phone.unplug();
    await aborted(machine.gone);
    expect(String(machine.gone.reason)).toMatch(/the device is over: it (was unplugged|does not answer any more)/);
    expect(await pool.list()).toEqual([]);
    await expect(pool.start({ ...wanted, boot: 3 }, none)).rejects.toMatchObject({ name: "NoSlotError" });
    await plugIn(phone);
    await expect.poll(async () => (await foundAs(key))?.isFree, { timeout: 60_000 }).toBe(true);
    await (await pool.start({ ...wanted, boot: 3 }, none)).stop();
  });

  it("are found again by the next service, at the same address, with who has them", async () => {
    const machine = await pool.start({ ...spec, boot: 4 }, none);
    const written = await link(machine.adb);
    await written.shell("echo kept > /sdcard/Download/kept");
    written.close();
    await pool.close();
    pool = open();
    expect(await pool.list()).toEqual([{ id: DEVICE, boot: 4 }]);
    const adopted = await pool.adopt({ id: DEVICE, boot: 4 });
    expect(adopted!.adb).toEqual(machine.adb);
    const device = await link(adopted!.adb);
    expect((await device.shell("cat /sdcard/Download/kept")).stdout).toBe("kept\n");
    device.close();
    await adopted!.stop();
    expect((await pool.found!()).map(({ isFree }) => isFree)).toEqual([true, true]);
  });
});
