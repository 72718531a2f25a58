import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AdbLink, connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { fetchAdbd } from "@terrarium/adb/testing";
import { aborted, systemClock } from "@terrarium/clock";
import {
  type AdbAddress,
  type DeviceRuntime,
  killProcesses,
  NoSlotError,
  processesWith,
  tryToBoot,
  whyNotKvm,
} from "@terrarium/runtime";
import { aMachineSpec, describeRuntime, MemoryLayers } from "@terrarium/runtime/testing";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { qemuRuntime, type QemuRuntimeOptions } from "./qemu-runtime.ts";
import { Qmp } from "./qmp.ts";
import { makeReferenceGuest } from "./testing/reference-guest.ts";

const none = new AbortController().signal;
const PROGRAM = "qemu-system-x86_64";
const IMAGE = "android-14.0";

/** The folder with the images, or why there is none. */
async function tryToMake(folder: string): Promise<string | undefined> {
  const adbd = await fetchAdbd();
  if ("missing" in adbd) return adbd.missing;
  try {
    const problem = await tryToBoot({ program: PROGRAM, accel: "tcg", clock: systemClock, watchdogMs: 30_000 });
    if (problem !== undefined) return problem;
    await makeReferenceGuest(join(folder, IMAGE), adbd);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const images = mkdtempSync(join(tmpdir(), "qemu-images-"));
const missing = await tryToMake(images);
if (missing !== undefined) console.warn(`skipped: guests of a real QEMU, since ${missing}`);

describe.skipIf(missing !== undefined)("guests of a real QEMU", () => {
  const layers = new MemoryLayers();
  let folders: string[] = [];
  let opened: DeviceRuntime[] = [];
  let programs = "";
  const logged: string[] = [];

  beforeEach(() => {
    programs = aFolder();
    for (const name of [PROGRAM, "qemu-img"]) symlinkSync(`/usr/bin/${name}`, join(programs, name));
  });
  afterEach(async () => {
    for (const runtime of opened) {
      await runtime.shutdown!();
      await runtime.close();
    }
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    [opened, folders] = [[], []];
    logged.length = 0;
    layers.stored.clear();
  });
  afterAll(() => rmSync(images, { recursive: true, force: true }));

  const aFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), "qemu-"));
    folders.push(folder);
    return folder;
  };
  const make = (more: Partial<QemuRuntimeOptions> = {}) => {
    const made = qemuRuntime({
      dataDir: aFolder(),
      clock: systemClock,
      log: (line) => logged.push(line),
      layers,
      adbKey: () => Promise.reject(new Error("no key was expected")),
      images: [join(images, IMAGE)],
      accel: "tcg",
      maxDevices: 2,
      hasInternet: false,
      bootMs: 60_000,
      programs,
      ...more,
    });
    opened.push(made);
    return made;
  };
  const spec = (id = 1, image = IMAGE) => {
    const made = aMachineSpec({ id: `00000000-0000-4000-8000-00000000000${id}` });
    return { ...made, image: { ...made.image, artefact: image } };
  };
  const pidsOf = async (runtime: DeviceRuntime, { id }: { id: string }) => processesWith(await runtime.place(), id);

  describeRuntime(
    "qemu",
    async () => {
      const dataDir = aFolder();
      const runtime = make({ dataDir });
      return {
        runtime,
        restarted: async () => make({ dataDir }),
        slots: 2,
        listens: true,
        artefact: IMAGE,
        kill: async (machine) => killProcesses(await pidsOf(runtime, machine)),
        stall: async () => {
          rmSync(join(programs, PROGRAM));
          writeFileSync(join(programs, PROGRAM), '#!/bin/sh\n[ "$1" = --version ] || exec sleep 1000\n');
          chmodSync(join(programs, PROGRAM), 0o755);
        },
        resources: async ({ adb }) => {
          const memory = "/sys/devices/system/memory";
          const command = `nproc; cat ${memory}/block_size_bytes; ls -d ${memory}/memory[0-9]* | wc -l`;
          const [cpus, size, blocks] = (await shell(adb, command)).trim().split("\n");
          return { cpuCount: Number(cpus), ramMb: (Number(`0x${size}`) * Number(blocks)) / 1024 / 1024 };
        },
        stranger: async () => make(),
        saving: {
          layers,
          elsewhere: async () => make(),
          write: ({ adb }, name, text) =>
            withLink(adb, (link) => link.push({ path: pathOf(name), mtime: 0, source: once(Buffer.from(text)) })),
          read: async ({ adb }, name) => {
            const text = await shell(adb, `cat ${pathOf(name)} && echo -n .`);
            return text === "" ? undefined : text.slice(0, -1);
          },
          delete: async ({ adb }, name) => void (await shell(adb, `rm ${pathOf(name)}`)),
        },
        dispose: async () => {
          for (const one of opened) {
            await one.shutdown!();
            await one.close();
          }
        },
      };
    },
    { save: true, stall: true, resources: true, stranger: true },
  );

  it("keeps a guest from its host, saves it for the same disks only, and says why it ended", async () => {
    const heard: string[] = [];
    const server = createServer((socket) =>
      socket.on("data", (data) => heard.push(String(data))).on("error", () => {}),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const runtime = make();
    const machine = await runtime.start(spec(), none);
    // It is root in there, and takes the address that leads to the loopback of the host.
    const said = await shell(machine.adb, `echo hello | nc -w 2 10.0.2.2 ${port}; id -u`);
    expect(said).toBe("0\n");
    expect(heard).toEqual([]);
    const saved = await machine.save!({ onProgress: () => undefined }, none);
    const changed = join(aFolder(), IMAGE);
    cpSync(join(images, IMAGE), changed, { recursive: true });
    appendFileSync(join(changed, "data.raw"), Buffer.alloc(512));
    const elsewhere = make({ images: [changed] });
    await expect(elsewhere.start({ ...spec(2), layers: saved }, none)).rejects.toThrow("with other disks of its image");
    expect(await elsewhere.list()).toEqual([]);
    await shell(machine.adb, "poweroff -f").catch(() => undefined);
    await aborted(machine.gone);
    expect(String(machine.gone.reason)).toContain("its process ended: guest-shutdown");
  });

  it("ends a guest that never boots, with the last words of its serial port", async () => {
    const silent = join(aFolder(), "silent");
    cpSync(join(images, IMAGE), silent, { recursive: true });
    appendFileSync(join(silent, "cmdline"), " silent");
    const runtime = make({ images: [silent], bootMs: 15_000 });
    const machine = await runtime.start(spec(1, "silent"), none);
    await aborted(machine.gone);
    expect(String(machine.gone.reason)).toMatch(
      /its adb did not answer in 15 s; its serial port said: .*the guest is up/s,
    );
    expect(await runtime.list()).toEqual([]);
  });

  it("lets a guest go on that a save left standing still, and removes what is left of others", async () => {
    const dataDir = aFolder();
    const runtime = make({ dataDir });
    const [kept, lost] = await Promise.all([runtime.start(spec(1), none), runtime.start(spec(2), none)]);
    await runtime.close();
    const folderOf = ({ id }: { id: string }) => join(dataDir, "qemu", id);
    // As a gateway leaves it that is killed in the middle of a save, and of a start.
    const qmp = await Qmp.connect(folderOf(kept), systemClock, none);
    await qmp.ask("stop");
    qmp.close();
    writeFileSync(join(folderOf(kept), "save0.qcow2"), "half");
    rmSync(join(folderOf(lost), "machine.json"));
    mkdirSync(join(dataDir, "qemu", spec(3).id));
    const stranger = make();
    const other = await stranger.start(spec(4), none);
    const next = make({ dataDir });
    expect(await next.list()).toEqual([{ id: kept.id, boot: 1 }]);
    expect(readdirSync(join(dataDir, "qemu"))).toEqual([kept.id]);
    expect(readdirSync(folderOf(kept))).not.toContain("save0.qcow2");
    expect(await pidsOf(next, lost)).toEqual([]);
    expect(other.gone.aborted).toBe(false);
    await next.close();
    const again = await Qmp.connect(folderOf(kept), systemClock, none);
    expect(await again.ask("query-status")).toMatchObject({ running: true });
    again.close();
    // What runs without a folder is ours, too.
    rmSync(folderOf(kept), { recursive: true });
    const last = make({ dataDir });
    expect(await last.list()).toEqual([]);
    expect(await pidsOf(last, kept)).toEqual([]);
  });

  it("says why an image cannot be run, and knows one that has changed", async () => {
    const folder = aFolder();
    writeFileSync(join(folder, "system.txt"), "");
    const runtime = make({ images: [join(images, IMAGE), join(folder, "missing"), folder] });
    const found = await runtime.found!();
    expect(found.map(({ problem }) => problem)).toEqual([
      undefined,
      expect.stringContaining("there is no"),
      expect.stringContaining("an image is a disk or a folder with disks"),
    ]);
    expect(found[0]).toMatchObject({ isFree: true, image: { artefact: IMAGE, osVersion: "14.0", sdkVersion: 34 } });
    const { image } = spec();
    const before = await runtime.verify!(image);
    expect(before).toMatch(/^sha256:[\da-f]{64}$/);
    const changed = join(folder, IMAGE);
    cpSync(join(images, IMAGE), changed, { recursive: true });
    expect(await make({ images: [changed] }).verify!(image)).toBe(before);
    appendFileSync(join(changed, "initrd"), "x");
    expect(await make({ images: [changed] }).verify!(image)).not.toBe(before);
    const refuse = (more: Partial<typeof image>) => runtime.verify!({ ...image, ...more });
    await expect(refuse({ artefact: `../${IMAGE}` })).rejects.toThrow("TERRARIUM_QEMU_IMAGES has no");
    await expect(refuse({ arch: "arm64" })).rejects.toThrow("its name says x86_64, not arm64");
    const large = spec();
    large.hardware.ramMb = 1 << 24;
    await expect(runtime.start(large, none)).rejects.toBeInstanceOf(NoSlotError);
    const bare = make({ programs: aFolder() });
    expect((await bare.found!())[0]!.problem).toBe(
      "there is no qemu-system-x86_64: sudo apt-get install qemu-system-x86 qemu-utils",
    );
    expect(readdirSync(folder).toSorted()).toEqual([IMAGE, "system.txt"]);
  });

  it("emulates where a trial guest does not boot with kvm", async () => {
    expect(await tryToBoot({ program: PROGRAM, accel: "tcg", clock: systemClock })).toBeUndefined();
    const works = (await whyNotKvm(PROGRAM, systemClock)) === undefined;
    const runtime = make({ accel: "auto" });
    await runtime.prepare!();
    expect(logged).toEqual([expect.stringContaining(works ? "run with KVM" : "are emulated, which is slow: ")]);
    const machine = await runtime.start(spec(), none);
    const [pid] = await pidsOf(runtime, machine);
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    expect(words[words.indexOf("-accel") + 1]).toBe(works ? "kvm" : "tcg");
  });
});

const pathOf = (name: string) => `/data/local/tmp/${name}`;

async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** The guest's adbd may not listen yet. */
async function withLink<T>({ host, port }: AdbAddress, act: (link: AdbLink) => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++)
    try {
      const link = await connectAdb(nodeSocketDuplex(connect(port, host)), { signal: AbortSignal.timeout(2_000) });
      try {
        return await act(link);
      } finally {
        link.close();
      }
    } catch (error) {
      if (tries > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
}

const shell = (adb: AdbAddress, command: string): Promise<string> =>
  withLink(adb, async (link) => (await link.shell(command)).stdout);
