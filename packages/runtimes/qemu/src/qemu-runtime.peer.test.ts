import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
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
  type Machine,
  NoSlotError,
  processesWith,
  tryToBoot,
  whyNotKvm,
} from "@terrarium/runtime";
import { aMachineSpec, describeRuntime, MemoryLayers } from "@terrarium/runtime/testing";
import { encodeControl, VideoReader } from "@terrarium/scrcpy";
import { colourAt, type DecodedPicture, H264Decoder } from "@terrarium/video/testing";
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
      // For all tests: a boot costs most.
      quickDir: join(images, "quick"),
      savesMemory: false,
      programs,
      ...more,
    });
    opened.push(made);
    return made;
  };
  const spec = (id = 1, image = IMAGE) => {
    const made = aMachineSpec({ id: `00000000-0000-4000-8000-00000000000${id}` });
    return {
      ...made,
      image: { ...made.image, artefact: image },
      hardware: { ...made.hardware, cpuCount: 1, ramMb: 512 },
    };
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
        isSlow: true,
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
    // It answers before it does.
    await shell(machine.adb, "(sleep 1; poweroff -f) > /dev/null 2>&1 &");
    await aborted(machine.gone);
    expect(String(machine.gone.reason)).toContain("its process ended: guest-shutdown");
  });

  it("shows a guest's screen, gives it taps and keys, and goes on from the memory that was saved", async () => {
    const runtime = make({ savesMemory: true });
    const machine = await runtime.start(spec(), none);
    await shell(machine.adb, "sh /screen; echo 0 > /sys/class/graphics/fbcon/cursor_blink");
    const screen = await watch(machine);
    await shell(machine.adb, paint(GREEN, 16));
    await shell(machine.adb, paint(RED, 8));
    await expect.poll(() => screen.colours(), { timeout: 20_000 }).toEqual(["red", "green"]);

    const events = shell(machine.adb, READ_EVENTS);
    await expect.poll(() => shell(machine.adb, ALL_ARE_READ), { timeout: 20_000 }).toBe("yes\n");
    const touch = { type: "touch", pointerId: 1n, pressure: 1, actionButton: 0, buttons: 0 } as const;
    for (const action of ["down", "up"] as const) {
      const position = { x: 90, y: 320, width: 360, height: 640 };
      screen.pipe.write(encodeControl({ ...touch, action, position }));
      screen.pipe.write(encodeControl({ type: "key", action, keyCode: ANDROID_A, repeat: 0, metaState: 0 }));
      screen.pipe.write(encodeControl({ type: "key", action, keyCode: ANDROID_BACK, repeat: 0, metaState: 0 }));
    }
    await shell(machine.adb, "sleep 1; killall cat");
    const seen = eventsIn(await events);
    expect(seen.find(([type, code]) => type === EV_ABS && code === 0)?.[2]).toBeCloseTo(0x2000, -3);
    expect(seen.find(([type, code]) => type === EV_ABS && code === 1)?.[2]).toBeCloseTo(0x4000, -3);
    for (const key of [BTN_LEFT, KEY_A, KEY_BACK])
      expect(seen.filter(([type, code]) => type === EV_KEY && code === key).map(([, , value]) => value)).toEqual([
        1, 0,
      ]);
    screen.pipe.close();
    await screen.pipe.closed;

    // What counts on is in its memory alone.
    await shell(machine.adb, "(i=0; while sleep 0.1; do i=$((i+1)); echo $i > /tmp/count; done) > /dev/null 2>&1 &");
    await shell(machine.adb, "sleep 1; cp /tmp/count /data/count");
    const saved = await machine.save!({ onProgress: () => undefined }, none);
    await machine.stop();
    const elsewhere = make();
    const next = await elsewhere.start({ ...spec(2), layers: saved }, none);
    const counts = (await shell(next.adb, "cat /data/count /tmp/count; sleep 1; cat /tmp/count; date +%s"))
      .split("\n")
      .map(Number);
    expect(counts.slice(0, 3)).toEqual(counts.slice(0, 3).toSorted((one, other) => one - other));
    expect(new Set(counts.slice(0, 3)).size).toBe(3);
    // It is told the time, of which it has missed some.
    expect(Math.abs(counts[3]! - Date.now() / 1000)).toBeLessThan(60);
    await next.stop();
    // With another processor its memory is of no use, and it boots from its disks.
    const other = spec(3);
    other.hardware.ramMb /= 2;
    const booted = await elsewhere.start({ ...other, layers: saved }, none);
    expect((await shell(booted.adb, "cat /data/count /tmp/count")).split("\n")).toEqual([String(counts[0]), ""]);
    expect(logged.join()).not.toContain("cannot go on");
  });

  it("boots where what was kept of the first of its kind is damaged, and keeps it anew", async () => {
    await (await make().start(spec(), none)).stop();
    const quickDir = aFolder();
    cpSync(join(images, "quick"), quickDir, { recursive: true, filter: (path) => !path.endsWith("/memory") });
    const memories = readdirSync(quickDir).map((key) => join(quickDir, key, "memory"));
    for (const memory of memories) writeFileSync(memory, "no memory at all");
    const runtime = make({ quickDir });
    const machine = await runtime.start(spec(2), none);
    expect(await shell(machine.adb, "id -u")).toBe("0\n");
    expect(logged.join("\n")).toContain("boots, as it cannot go on from its memory");
    expect(memories.filter((memory) => statSync(memory).size > 1e6)).toHaveLength(1);
    // Nobody is to wait again for one that went on and did not answer.
    const mute = await make({ quickDir, bootMs: 1 }).start(spec(3), none);
    await aborted(mute.gone);
    expect(memories.filter((memory) => existsSync(memory) && statSync(memory).size > 1e6)).toEqual([]);
  });

  it("ends a guest that never boots, with the last words of its serial port", async () => {
    const silent = join(aFolder(), "silent");
    cpSync(join(images, IMAGE), silent, { recursive: true });
    appendFileSync(join(silent, "cmdline"), " silent");
    const runtime = make({ images: [silent], bootMs: 15_000, quickDir: undefined });
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
    // A processor that is busy and emulated takes longer than the watchdog lets a real one.
    const patient = { program: PROGRAM, accel: "tcg", clock: systemClock, watchdogMs: 60_000 } as const;
    expect(await tryToBoot(patient)).toBeUndefined();
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

const [GREEN, RED] = ["\\0\\377\\0\\0", "\\0\\0\\377\\0"];
/** Writes so many times 64 kB of a colour to the screen, which is 15 times that. */
const paint = (colour: string, times: number) =>
  `cd /tmp; printf '${colour}' > p; for i in $(seq 14); do cat p p > q; mv q p; done; for i in $(seq ${times}); do cat p; done > /dev/fb0`;
const READ_EVENTS = `mkdir -p /tmp/reads; for one in /dev/input/event*; do cat $one > /tmp/reads/\${one##*/} & done; wait; cat /tmp/reads/* | od -v -An -tx1`;
/** Each is open by then: what comes before is lost. */
const ALL_ARE_READ = `[ $(ls -l /proc/[0-9]*/fd 2> /dev/null | grep -c /dev/input/event) = $(ls -d /dev/input/event* | wc -l) ] && echo yes`;
const [ANDROID_A, ANDROID_BACK] = [29, 4];
const [EV_KEY, EV_ABS, BTN_LEFT, KEY_A, KEY_BACK] = [1, 3, 0x110, 30, 158];

/** Type, code and value of each event of Linux. */
function eventsIn(dump: string): [type: number, code: number, value: number][] {
  const bytes = Buffer.from(dump.replace(/\s/g, ""), "hex");
  const starts = Array.from({ length: bytes.length / 24 }, (_, at) => at * 24 + 16);
  return starts.map((at) => [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2), bytes.readInt32LE(at + 4)]);
}

/** Decodes what a machine shows. */
async function watch(machine: Machine) {
  const pipe = machine.openScreen!({});
  const reader = new VideoReader({ dummyByte: true });
  const decoder = new H264Decoder();
  onTestFinished(() => decoder.close());
  const first = Promise.withResolvers<void>();
  let picture: DecodedPicture | undefined;
  const read = async () => {
    for (let chunk = await pipe.read(); chunk; chunk = await pipe.read())
      for (const event of reader.push(chunk)) {
        if (event.type === "config") decoder.config(event.data);
        if (event.type === "frame") picture = decoder.decode(event.data);
        if (picture) first.resolve();
      }
  };
  read().catch(first.reject);
  await first.promise;
  const nameOf = ([red, green]: readonly number[]) => (red! > 200 ? "red" : green! > 200 ? "green" : "another");
  return { pipe, colours: () => [100, 600].map((y) => nameOf(colourAt(picture!, 180, y))) };
}

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
