import { type AdbLink, connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { systemClock } from "@terrarium/clock";
import { type DeviceRuntime, NoSlotError } from "@terrarium/runtime";
import { aMachineSpec } from "@terrarium/runtime/testing";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { adbPool, type AdbPoolOptions } from "./adb-pool.ts";
import * as cleanUp from "./clean-up.ts";
import { type FakeAdbServer, fakeAdbServer } from "./testing/fake-adb-server.ts";
import { type Phone, somePhones } from "./testing/phones.ts";

// A simulated phone lets itself be cleaned up; these tests are of those that do not.
vi.mock("./clean-up.ts", async (original) => {
  const real = await original<typeof cleanUp>();
  return { undo: vi.fn(real.undo), lookBefore: vi.fn(real.lookBefore) };
});

const none = new AbortController().signal;
const hurried = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal) };
/** In which answers have their time, and tries follow at once. */
const eager = {
  ...systemClock,
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms === 2000 ? 50 : ms, signal),
};
const spec = aMachineSpec();
spec.image.artefact = "model:Fern 61";

let desk: Awaited<ReturnType<typeof somePhones>>;
let phone: Phone;
let dataDir: string;
let adb: FakeAdbServer;
let opened: DeviceRuntime[];
let logged: string[];
beforeAll(async () => {
  desk = await somePhones(1);
  phone = desk.phones[0]!;
});
afterAll(() => desk.stop());
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "pool-"));
  adb = await fakeAdbServer();
  opened = [];
  logged = [];
});
afterEach(async () => {
  vi.mocked(cleanUp.undo).mockReset();
  vi.mocked(cleanUp.lookBefore).mockReset();
  await phone.plug();
  await Promise.all(opened.map((pool) => pool.close()));
  await adb.stop();
  await shell("rm -rf /data/local/tmp/.terrarium");
  rmSync(dataDir, { recursive: true, force: true });
});

function pool(more: Partial<AdbPoolOptions> = {}): DeviceRuntime {
  const made = adbPool({
    dataDir,
    clock: eager,
    log: (line) => logged.push(line),
    adbKey: () => Promise.reject(new Error("no key was expected")),
    endpoints: more.server ? [] : [phone.address],
    graceMs: 0,
    ...more,
  });
  opened.push(made);
  return made;
}

async function shell(command: string): Promise<string> {
  const link: AdbLink = await connectAdb(nodeSocketDuplex(connect(phone.address.port, phone.address.host)));
  try {
    return (await link.shell(command)).stdout;
  } finally {
    link.close();
  }
}

const first = async (runtime: DeviceRuntime) => (await runtime.found!())[0];
const reservationFile = () => join(dataDir, "adb-pool", readdirSync(join(dataDir, "adb-pool"))[0]!);

describe("a phone that is not clean", () => {
  it("is lent to nobody, says why, and is tried again when it is plugged in again", async () => {
    const runtime = pool();
    vi.mocked(cleanUp.undo).mockResolvedValueOnce(["the app org.example.spy"]);
    await (await runtime.start(spec, none)).stop();
    expect(await first(runtime)).toMatchObject({
      isFree: false,
      problem: expect.stringContaining("these are left: the app org.example.spy"),
    });
    await expect(runtime.start({ ...spec, boot: 2 }, none)).rejects.toBeInstanceOf(NoSlotError);
    await phone.unplug();
    await phone.plug();
    await expect.poll(() => first(runtime)).toMatchObject({ isFree: true, problem: undefined });
  });

  it("is left alone when it has failed some times", async () => {
    const runtime = pool();
    vi.mocked(cleanUp.undo).mockRejectedValue(new Error("it prints too much"));
    await (await runtime.start(spec, none)).stop();
    await expect.poll(() => vi.mocked(cleanUp.undo).mock.calls.length).toBe(5);
    await expect
      .poll(() => first(runtime))
      .toMatchObject({ isFree: false, problem: expect.stringContaining("it prints too much") });
    expect(vi.mocked(cleanUp.undo)).toHaveBeenCalledTimes(5);
  });

  it("is not lent when it does not say how it is, and says so", async () => {
    const runtime = pool();
    vi.mocked(cleanUp.lookBefore).mockRejectedValueOnce(new Error("it has no files"));
    await expect(runtime.start(spec, none)).rejects.toBeInstanceOf(NoSlotError);
    expect((await first(runtime))!.problem).toContain("it has no files");
    await (await runtime.start(spec, none)).stop();
    expect((await first(runtime))!.problem).toBeUndefined();
  });

  it.each([
    "echo x > /data/local/tmp/.terrarium/owner",
    "rm -rf /data/local/tmp/.terrarium; echo x > /data/local/tmp/.terrarium",
  ])("is free again after somebody did %s", async (command) => {
    const runtime = pool();
    const machine = await runtime.start(spec, none);
    await shell(command);
    await machine.stop();
    await (await runtime.start({ ...spec, boot: 2 }, none)).stop();
    expect(logged).toEqual([]);
  });
});

describe("reservations", () => {
  it("are not taken from another process that lends at the moment", async () => {
    const looking = Promise.withResolvers<void>();
    const looked = Promise.withResolvers<void>();
    vi.mocked(cleanUp.lookBefore).mockImplementationOnce(async () => {
      looking.resolve();
      await looked.promise;
      return { packages: [], paths: [], settings: {}, size: "", density: "" };
    });
    const starting = pool().start(spec, none);
    await looking.promise;
    const other = pool();
    await expect(other.start({ ...spec, id: "b" }, none)).rejects.toBeInstanceOf(NoSlotError);
    expect(await shell("cat /data/local/tmp/.terrarium/owner")).not.toBe("");
    looked.resolve();
    await starting;
    expect(await other.list()).toEqual([{ id: spec.id, boot: spec.boot }]);
  });

  it("that are over are cleaned up by one process at a time, also when another one ended in the middle of that", async () => {
    const runtime = pool();
    await runtime.start(spec, none);
    await runtime.close();
    const over = { ...JSON.parse(readFileSync(reservationFile(), "utf8")), isOver: true };
    writeFileSync(reservationFile(), JSON.stringify(over));
    const claim = reservationFile().replace(".json", ".cleaning");
    writeFileSync(claim, `ended ${Date.now() - 1}`);
    const cleaning = Promise.withResolvers<void>();
    let begun = 0;
    vi.mocked(cleanUp.undo).mockImplementation(async () => {
      begun++;
      await cleaning.promise;
      return [];
    });
    const pools = [pool(), pool()];
    await Promise.all(pools.map((one) => one.found!()));
    await expect.poll(() => begun).toBe(1);
    expect(readFileSync(claim, "utf8")).not.toContain("ended");
    cleaning.resolve();
    await expect.poll(async () => (await first(pools[1]!))!.isFree).toBe(true);
    await expect.poll(() => readdirSync(join(dataDir, "adb-pool"))).toEqual([]);
    expect(begun).toBe(1);
  });

  it("that are damaged keep their own device only, and are logged once", async () => {
    const runtime = pool();
    await runtime.start(spec, none);
    await runtime.close();
    writeFileSync(reservationFile(), "");
    const next = pool();
    expect([await next.list(), await next.list()]).toEqual([[], []]);
    expect(await first(next)).toMatchObject({ isFree: false, problem: expect.stringContaining("is damaged") });
    expect(logged.filter((line) => line.includes("is damaged") && !line.includes("could not"))).toHaveLength(1);
  });
});

describe("an adb server", () => {
  it("that says nothing is not waited for", async () => {
    const runtime = pool({ server: adb.address, clock: hurried });
    expect(await runtime.found!()).toEqual([]);
    await expect(runtime.start(spec, none)).rejects.toBeInstanceOf(NoSlotError);
  });

  it("that says nothing does not hold up the end", async () => {
    const runtime = pool({ server: adb.address });
    const found = runtime.found!();
    await runtime.close();
    expect(await found).toEqual([]);
  });

  it("has a device that could not be used tried again, and shown until then", async () => {
    adb.announce(new Map([["R5CT10", phone.address]]));
    adb.features = undefined;
    const runtime = pool({ server: adb.address, clock: hurried });
    expect(await first(runtime)).toMatchObject({
      key: "R5CT10",
      isFree: false,
      problem: expect.stringMatching(/cannot be used: .*no answer/),
    });
    adb.features = "shell_v2,cmd";
    await expect.poll(() => first(runtime)).toMatchObject({ key: "R5CT10", name: expect.any(String) });
    await expect.poll(async () => (await first(runtime))!.problem ?? "").not.toContain("cannot be used");
  });

  it("keeps what is on loopback to itself", async () => {
    adb.announce(
      new Map([
        ["R5CT10", phone.address],
        ["127.0.0.1:5555", phone.address],
        ["localhost:1", phone.address],
      ]),
    );
    const found = await pool({ server: adb.address }).found!();
    expect(found.map(({ key, image }) => [key, image?.artefact])).toEqual([["R5CT10", "serial:R5CT10"]]);
  });

  it("has its device adopted at another port, which the reservation then says", async () => {
    adb.announce(new Map([["R5CT10", phone.address]]));
    const runtime = pool({ server: adb.address });
    const machine = await runtime.start(spec, none);
    await runtime.close();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(machine.adb.port, "127.0.0.1", resolve));
    const adopted = await pool({ server: adb.address }).adopt({ id: spec.id, boot: spec.boot });
    expect(adopted!.adb.port).not.toBe(machine.adb.port);
    expect(JSON.parse(readFileSync(reservationFile(), "utf8"))).toMatchObject({ adb: adopted!.adb });
    await new Promise((resolve) => taken.close(resolve));
  });
});
