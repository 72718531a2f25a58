import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AdbLink, connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { fetchAdbd } from "@terrarium/adb/testing";
import { aborted, systemClock } from "@terrarium/clock";
import { type AdbAddress, type DeviceRuntime, killProcesses, type Machine, processesWith } from "@terrarium/runtime";
import { aMachineSpec, describeRuntime, MemoryLayers } from "@terrarium/runtime/testing";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { tryToBoot } from "./accel.ts";
import { qemuRuntime, type QemuRuntimeOptions } from "./qemu-runtime.ts";
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
});

const pathOf = (name: string) => `/data/local/tmp/${name}`;

async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** The guest's adbd may not listen yet. */
async function withLink<T>({ host, port }: AdbAddress, act: (link: AdbLink) => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++)
    try {
      const link = await connectAdb(nodeSocketDuplex(connect(port, host)), { signal: AbortSignal.timeout(10_000) });
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
