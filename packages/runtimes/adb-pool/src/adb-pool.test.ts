import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AdbLink, connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { aborted, systemClock } from "@terrarium/clock";
import { type AdbAddress, type DeviceRuntime, NoSlotError } from "@terrarium/runtime";
import { aMachineSpec, describeRuntime } from "@terrarium/runtime/testing";
import { makeApk } from "@terrarium/simulator/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { adbPool, type AdbPoolOptions } from "./adb-pool.ts";
import { type Phone, somePhones } from "./testing/phones.ts";

const none = new AbortController().signal;
/** The pool's waits are for phones; what stands in for them is faster. */
const hurried = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 5, signal) };
const MODEL = "model:Fern 61";

let desk: Awaited<ReturnType<typeof somePhones>>;
let phones: Phone[];
beforeAll(async () => {
  desk = await somePhones(3);
  ({ phones } = desk);
});
afterAll(() => desk.stop());

let dataDirs: string[];
let opened: DeviceRuntime[];
const logged: string[] = [];
beforeEach(() => {
  dataDirs = [];
  opened = [];
  logged.length = 0;
});
afterEach(async () => {
  await Promise.all(phones.map((phone) => phone.plug()));
  await Promise.all(opened.map((pool) => pool.close()));
  // Those that were never closed properly left a label.
  for (const { address } of phones)
    await withLink(address, (link) => link.shell("rm -rf /data/local/tmp/.terrarium /sdcard/Download/*"));
  for (const folder of dataDirs) rmSync(folder, { recursive: true, force: true });
});

function aDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "pool-"));
  dataDirs.push(folder);
  return folder;
}

function pool(more: Partial<AdbPoolOptions> & { dataDir: string }): DeviceRuntime {
  const made = adbPool({
    clock: hurried,
    log: (line) => logged.push(line),
    adbKey: () => Promise.reject(new Error("no key was expected")),
    endpoints: phones.map(({ address }) => address),
    graceMs: 0,
    ...more,
  });
  opened.push(made);
  return made;
}

async function withLink<T>({ host, port }: AdbAddress, act: (link: AdbLink) => Promise<T>): Promise<T> {
  const link = await connectAdb(nodeSocketDuplex(connect(port, host)));
  try {
    return await act(link);
  } finally {
    link.close();
  }
}

const shell = (adb: AdbAddress, command: string): Promise<string> =>
  withLink(adb, async (link) => (await link.shell(command)).stdout);

const phoneOf = ({ adb }: { adb: AdbAddress }): Phone => phones.find(({ address }) => address.port === adb.port)!;

describeRuntime(
  "adb-pool",
  async () => {
    const dataDir = aDataDir();
    return {
      runtime: pool({ dataDir }),
      restarted: async () => pool({ dataDir }),
      slots: 3,
      listens: true,
      artefact: MODEL,
      staysOn: true,
      kill: (machine) => phoneOf(machine).unplug(),
      stall: async () => {
        await opened[0]!.found!();
        for (const phone of phones) phone.silence();
      },
      stranger: async () => pool({ dataDir: aDataDir() }),
      dispose: async () => {
        await Promise.all(phones.map((phone) => phone.plug()));
      },
    };
  },
  { save: false, stall: true, stranger: true },
);

describe("adbPool", () => {
  const spec = aMachineSpec();
  spec.image.artefact = MODEL;

  it("says what its devices are", async () => {
    const found = await pool({ dataDir: aDataDir() }).found!();
    expect(found.map(({ key }) => key)).toEqual(phones.map(({ address }) => `127.0.0.1:${address.port}`));
    expect(found[0]).toEqual({
      key: `127.0.0.1:${phones[0]!.address.port}`,
      name: "Terra Fern 61",
      isFree: true,
      problem: undefined,
      image: {
        artefact: `serial:127.0.0.1:${phones[0]!.address.port}`,
        osVersion: "14.0",
        sdkVersion: 34,
        arch: "x86_64",
        imageVersion: expect.stringMatching(/./),
      },
      hardware: {
        name: "Terra Fern 61",
        formFactor: "PHONE",
        displays: [{ width: 360, height: 640, density: 160 }],
        hwNavigationKeys: false,
        cpuCount: 4,
        ramMb: 4096,
        dataDiskMb: expect.any(Number),
        properties: { product_model: "Fern 61", product_manufacturer: "Terra", product_brand: expect.any(String) },
      },
    });
    expect(found[0]!.hardware!.dataDiskMb).toBeGreaterThan(1000);
  });

  it("lends one device to one instance, by its model and API level, or by its serial number", async () => {
    const runtime = pool({ dataDir: aDataDir() });
    const [first, second] = phones;
    const key = `127.0.0.1:${second!.address.port}`;
    const wanted = { ...spec, image: { ...spec.image, artefact: `serial:${key}` } };
    expect((await runtime.start(wanted, none)).adb).toEqual(second!.address);
    await expect(runtime.start({ ...wanted, id: "b" }, none)).rejects.toBeInstanceOf(NoSlotError);
    expect((await runtime.start({ ...spec, id: "c" }, none)).adb).toEqual(first!.address);
    const newer = { ...spec, id: "d", image: { ...spec.image, sdkVersion: 35 } };
    await expect(runtime.start(newer, none)).rejects.toThrow(`no device of the pool is "${MODEL}" with API level 35`);
    expect((await runtime.found!()).map(({ isFree }) => isFree)).toEqual([false, false, true]);
  });

  it("takes away what somebody has left, and what was there before stays", async () => {
    const runtime = pool({ dataDir: aDataDir() });
    const { address } = phones[0]!;
    await shell(
      address,
      "mkdir -p /sdcard/Download/own; echo mine > /sdcard/Download/own/a; settings put system font_scale 1.1",
    );
    const machine = await runtime.start(spec, none);
    const apk = makeApk({ packageName: "org.example.left" });
    await withLink(machine.adb, async (link) => {
      await link.install({ size: apk.length, source: [apk] });
      await link.shell(
        `mkdir -p "/sdcard/Download/own/it's; new"; echo x > "/sdcard/Download/own/it's; new/b"; echo y > /data/local/tmp/-rf
        settings put system font_scale 1.3; settings put global http_proxy 10.0.0.1:80; dumpsys battery set level 7`,
      );
    });
    await machine.stop();
    expect(
      await shell(
        address,
        "pm list packages -3; find /sdcard/Download /data/local/tmp; settings get system font_scale; settings get global http_proxy; dumpsys battery | grep level",
      ),
    ).toBe("/sdcard/Download\n/sdcard/Download/own\n/sdcard/Download/own/a\n/data/local/tmp\n1.1\nnull\n  level: 86\n");
    await shell(address, "settings delete system font_scale");
    expect(logged).toEqual([]);
  });

  it("ends a session when its device is unplugged, cleans the device up when it is back, and lends it again", async () => {
    const only = phones.slice(0, 1);
    const runtime = pool({ dataDir: aDataDir(), endpoints: only.map(({ address }) => address) });
    const machine = await runtime.start(spec, none);
    await shell(machine.adb, "echo secret > /sdcard/Download/secret");
    await only[0]!.unplug();
    await aborted(machine.gone);
    expect(String(machine.gone.reason)).toContain("it does not answer any more");
    expect(await runtime.list()).toEqual([]);
    await expect(runtime.start({ ...spec, boot: 2 }, none)).rejects.toBeInstanceOf(NoSlotError);
    await only[0]!.plug();
    await expect
      // Asked for all the time: that somebody waits for it must not keep it from being cleaned up.
      .poll(() => runtime.start({ ...spec, boot: 2 }, none).catch(() => undefined), { timeout: 20_000, interval: 1 })
      .toBeTruthy();
    expect(await shell(only[0]!.address, "ls /sdcard/Download")).toBe("");
  });

  it("keeps a session whose device is away for less than it may", async () => {
    const only = phones.slice(0, 1);
    const runtime = pool({ dataDir: aDataDir(), endpoints: only.map(({ address }) => address), graceMs: 60_000 });
    const machine = await runtime.start(spec, none);
    await only[0]!.unplug();
    await expect.poll(() => logged.some((line) => line.includes("is away"))).toBe(true);
    await only[0]!.plug();
    await expect.poll(async () => (await runtime.found!())[0]!.problem, { timeout: 30_000 }).toBeUndefined();
    expect([machine.gone.aborted, await runtime.list()]).toEqual([false, [{ id: spec.id, boot: 1 }]]);
  });

  it("cleans up after a session whose service ended with it", async () => {
    const dataDir = aDataDir();
    const runtime = pool({ dataDir });
    const machine = await runtime.start(spec, none);
    await shell(machine.adb, "echo secret > /sdcard/Download/secret");
    await phoneOf(machine).unplug();
    await runtime.stop(spec.id);
    await runtime.close();
    await phoneOf(machine).plug();
    const next = pool({ dataDir });
    await next.prepare!();
    await expect
      .poll(() => shell(machine.adb, "ls -a /sdcard/Download /data/local/tmp"), { timeout: 30_000 })
      .not.toMatch(/secret|terrarium/);
  });

  it("says that a device which is no Android cannot be lent", async () => {
    const runtime = pool({ dataDir: aDataDir(), endpoints: [{ host: "127.0.0.1", port: 1 }] });
    expect(await runtime.found!()).toMatchObject([{ isFree: false, problem: expect.stringMatching(/./) }]);
  });
});
