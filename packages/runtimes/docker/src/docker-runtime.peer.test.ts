import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AdbLink, connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { fetchAdbd } from "@terrarium/adb/testing";
import { aborted, type Clock, systemClock } from "@terrarium/clock";
import { type AdbAddress, type DeviceRuntime, type Machine, NoSlotError } from "@terrarium/runtime";
import { aMachineSpec, describeRuntime, MemoryLayers } from "@terrarium/runtime/testing";
import type Docker from "dockerode";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { label } from "./container.ts";
import { dockerRuntime, type DockerRuntimeOptions } from "./docker-runtime.ts";
import { type Dockerd, startDockerd } from "./testing/dockerd.ts";
import { asStream, imageChanges, referenceImage } from "./testing/reference-image.ts";

const none = new AbortController().signal;
const IMAGE = "terrarium/reference:14.0";
const REDROID = "terrarium/redroid:14.0";
/** Runs, and no adb answers in it. */
const SILENT = "terrarium/silent:1.0";

/** Two daemons that have the image, or why there are none. */
async function tryToStart(): Promise<Dockerd[] | string> {
  const adbd = await fetchAdbd();
  if ("missing" in adbd) return adbd.missing;
  const daemons: Dockerd[] = [];
  try {
    const image = await referenceImage(adbd);
    daemons.push(await startDockerd(), await startDockerd());
    for (const { docker } of daemons)
      for (const [name, words] of [
        [IMAGE, []],
        [REDROID, ["androidboot.hardware=redroid"]],
        [SILENT, ["silent"]],
      ] as const)
        await imported(docker, image, name, imageChanges(...words));
    return daemons;
  } catch (error) {
    for (const daemon of daemons) await daemon.stop();
    return error instanceof Error ? error.message : String(error);
  }
}

async function imported(docker: Docker, tar: Buffer, name: string, changes: string[]): Promise<void> {
  const [repo, tag] = name.split(":");
  const told = await docker.importImage(asStream(tar), { repo, tag, changes });
  for await (const line of told) if (String(line).includes("error")) throw new Error(String(line));
}

const daemons = await tryToStart();
if (typeof daemons === "string") console.warn(`skipped: containers of a real Docker, since ${daemons}`);

describe.skipIf(typeof daemons === "string")("containers of a real Docker", () => {
  const [first, second] = daemons as [Dockerd, Dockerd];
  const layers = new MemoryLayers();
  let folders: string[] = [];
  let opened: DeviceRuntime[] = [];
  const logged: string[] = [];
  /** So much faster than the real time it goes while a daemon does not answer. */
  let haste = 1;
  const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / haste, signal) };
  const halt = (daemon: Dockerd, isHalted: boolean) => {
    haste = isHalted ? 5 : 1;
    daemon.halt(isHalted);
  };

  afterAll(async () => {
    for (const daemon of [first, second]) await daemon.stop();
  });
  afterEach(async () => {
    for (const daemon of [first, second]) halt(daemon, false);
    for (const runtime of opened) {
      await runtime.shutdown!();
      await runtime.close();
    }
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    [opened, folders] = [[], []];
    logged.length = 0;
    layers.stored.clear();
  });

  const aDataDir = () => {
    const folder = mkdtempSync(join(tmpdir(), "docker-"));
    folders.push(folder);
    return folder;
  };
  const hostOf = ({ address: name, docker }: Dockerd, isDraining = false) => ({ name, docker, isDraining });
  const make = (more: Partial<DockerRuntimeOptions> = {}) => {
    const made = dockerRuntime({
      dataDir: aDataDir(),
      clock,
      log: (line) => logged.push(line),
      layers,
      adbKey: () => Promise.reject(new Error("no key was expected")),
      hosts: [hostOf(first)],
      images: [IMAGE],
      maxDevices: 3,
      networks: "10.213.0.0/16",
      hasInternet: true,
      graceMs: 60_000,
      bootMs: 60_000,
      ...more,
    });
    opened.push(made);
    return made;
  };
  const spec = (id: number, more: Parameters<typeof aMachineSpec>[0] = {}) => {
    const made = aMachineSpec({ id: `00000000-0000-4000-8000-00000000000${id}`, ...more });
    return { ...made, image: { ...made.image, artefact: more.image?.artefact ?? IMAGE } };
  };
  const containerOf = async ({ docker }: Dockerd, { id }: { id: string }) => {
    const [found] = await docker.listContainers({ all: true, filters: { label: [`${label.id}=${id}`] } });
    return docker.getContainer(found!.Id);
  };
  const hasBooted = async () => {
    await expect.poll(() => logged.some((line) => line.includes("has started in"))).toBe(true);
  };
  /** What is there of ours, of any kind. */
  const leftOn = async ({ docker }: Dockerd) => {
    const [containers, { Volumes }, networks] = await Promise.all([
      docker.listContainers({ all: true }),
      docker.listVolumes(),
      docker.listNetworks({ filters: { driver: ["bridge"] } }),
    ]);
    return [...containers, ...(Volumes ?? []), ...networks].length;
  };

  describeRuntime(
    "docker",
    async () => {
      const dataDir = aDataDir();
      const runtime = make({ dataDir });
      return {
        runtime,
        restarted: async () => make({ dataDir }),
        slots: 3,
        listens: true,
        artefact: IMAGE,
        kill: async (machine) => (await containerOf(first, machine)).kill(),
        stall: async () => {
          await runtime.prepare!();
          halt(first, true);
        },
        resources: async ({ adb }) => {
          const groups = "/sys/fs/cgroup/cpu/cpu.cfs_quota_us /sys/fs/cgroup/memory/memory.limit_in_bytes";
          const [quota, bytes] = (await shell(adb, `cat ${groups}`)).trim().split("\n").map(Number);
          return { cpuCount: quota! / 100_000, ramMb: bytes! / 1024 / 1024 };
        },
        stranger: async () => make(),
        saving: {
          layers,
          elsewhere: async () => make({ hosts: [hostOf(second)] }),
          write: ({ adb }, name, text) =>
            withLink(adb, (link) => link.push({ path: pathOf(name), mtime: 0, source: once(Buffer.from(text)) })),
          read: async ({ adb }, name) => {
            const text = await shell(adb, `cat ${pathOf(name)} && echo -n .`);
            return text === "" ? undefined : text.slice(0, -1);
          },
          delete: async ({ adb }, name) => void (await shell(adb, `rm ${pathOf(name)}`)),
        },
        dispose: async () => {
          halt(first, false);
          for (const one of opened) {
            await one.shutdown!();
            await one.close();
          }
        },
      };
    },
    { save: true, stall: true, resources: true, stranger: true },
  );

  it("gives each device a network of its own, in which it reaches no other, and publishes no port", async () => {
    const runtime = make();
    const [one, other] = await Promise.all([runtime.start(spec(1), none), runtime.start(spec(2), none)]);
    const inspect = async (machine: Machine) => (await containerOf(first, machine)).inspect();
    const { NetworkSettings, HostConfig } = await inspect(one);
    expect(NetworkSettings.Ports).toEqual({});
    expect(HostConfig.Privileged).toBe(false);
    const addressOf = async (machine: Machine) =>
      Object.values((await inspect(machine)).NetworkSettings.Networks)[0]!.IPAddress;
    const reaches = (from: Machine, address: string) =>
      shell(from.adb, `nc -w 1 ${address} 5555 < /dev/null > /dev/null 2>&1 && echo yes || echo no`);
    // The test itself: a device reaches its own adb so.
    expect(await reaches(one, await addressOf(one))).toBe("yes\n");
    expect(await reaches(one, await addressOf(other))).toBe("no\n");
    expect(await reaches(other, await addressOf(one))).toBe("no\n");
    await runtime.shutdown!();
    expect(await leftOn(first)).toBe(0);
  });

  it("ends a device that never boots, and says why; one that ends, with its last words", async () => {
    const runtime = make({ bootMs: 2_000 });
    const machine = await runtime.start(spec(1), none);
    await hasBooted();
    const container = await containerOf(first, machine);
    await container.kill();
    await aborted(machine.gone);
    expect(String(machine.gone.reason)).toMatch(/its container ended with code 137, and said: .*adbd/s);
    const silent = await runtime.start(spec(2, { image: { ...spec(2).image, artefact: SILENT } }), none);
    await aborted(silent.gone);
    expect(String(silent.gone.reason)).toMatch(/its adb did not answer in 2 s: nc: .*refused/);
    expect(await runtime.list()).toEqual([]);
    await expect.poll(() => leftOn(first)).toBe(0);
  });

  it("removes what is left of its own, and nothing else", async () => {
    const dataDir = aDataDir();
    const runtime = make({ dataDir });
    const machine = await runtime.start(spec(1), none);
    await hasBooted();
    const { Config, Name } = await (await containerOf(first, machine)).inspect();
    await first.docker.createVolume({ Name: "of-somebody-else" });
    await first.docker.createVolume({ Name: "left", Labels: { ...Config.Labels, [label.id]: "left" } });
    await runtime.close();
    // As a gateway leaves it that is killed in the middle of a save, and of a start.
    await (await containerOf(first, machine)).pause();
    const id = spec(3).id;
    const name = Name.slice(1).replace(spec(1).id, id);
    const Labels = { ...Config.Labels, [label.id]: id };
    await first.docker.createContainer({ name, Image: IMAGE, Labels });
    const next = make({ dataDir });
    expect(await next.list()).toEqual([{ id: machine.id, boot: 1 }]);
    expect(await shell((await next.adopt(machine))!.adb, "echo runs")).toBe("runs\n");
    await expect.poll(() => leftOn(first)).toBe(5);
    await next.shutdown!();
    await first.docker.getVolume("left").remove();
    await first.docker.getVolume("of-somebody-else").remove();
    expect(await leftOn(first)).toBe(0);
  });

  it("says why an image cannot be run: not there, of redroid without binder, or of another processor", async () => {
    const runtime = make({ images: [IMAGE, REDROID, "terrarium/missing:14.0", "Of/../nothing"] });
    const found = await runtime.found!();
    expect(found.map(({ problem }) => problem)).toEqual([
      undefined,
      expect.stringContaining("its kernel has no binder file system"),
      expect.stringContaining("docker pull terrarium/missing:14.0"),
      expect.stringContaining("is not the name of an image"),
    ]);
    expect(found[0]).toMatchObject({ isFree: true, image: { artefact: IMAGE, osVersion: "14.0", sdkVersion: 34 } });
    const { image } = spec(1);
    expect(await runtime.verify!(image)).toMatch(/^sha256:[\da-f]{64}$/);
    await expect(runtime.verify!({ ...image, artefact: REDROID })).rejects.toThrow("has no binder file system");
    const start = (more: Partial<typeof image>) => runtime.start({ ...spec(1), image: { ...image, ...more } }, none);
    await expect(start({ artefact: REDROID })).rejects.toBeInstanceOf(NoSlotError);
    await expect(start({ arch: "arm64" })).rejects.toThrow("not arm64");
    const large = spec(1);
    large.hardware.ramMb = 1 << 20;
    await expect(runtime.start(large, none)).rejects.toThrow("MiB of memory");
    expect(await leftOn(first)).toBe(0);
  });

  it("spreads devices over hosts, spares one that is drained, and gives up one that is away", async () => {
    const hosts = [hostOf(first), hostOf(second)];
    const dataDir = aDataDir();
    const runtime = make({ dataDir, hosts, graceMs: 0 });
    const one = await runtime.start(spec(1), none);
    const two = await runtime.start(spec(2), none);
    for (const daemon of [first, second]) expect(await daemon.docker.listContainers()).toHaveLength(1);
    await runtime.close();
    const drained = make({ dataDir, hosts: [hostOf(first), hostOf(second, true)], graceMs: 0 });
    for (const machine of [one, two]) expect((await drained.adopt(machine))!.adb).toEqual(machine.adb);
    const held = (await drained.adopt(two))!;
    await drained.start(spec(3), none);
    expect(await first.docker.listContainers()).toHaveLength(2);
    halt(second, true);
    await drained.list();
    await aborted(held.gone);
    expect(String(held.gone.reason)).toContain("it does not answer");
    expect((await drained.found!()).at(-1)!.problem).toContain("it does not answer");
    halt(second, false);
    await expect.poll(async () => (await drained.list(), leftOn(second)), { timeout: 30_000 }).toBe(0);
    expect(await drained.list()).toHaveLength(2);
    // Another address of the same Docker.
    const twice = make({ dataDir, hosts: [hostOf(first), { ...hostOf(first), name: "again" }] });
    expect((await twice.found!()).at(-1)).toMatchObject({ key: "again", problem: expect.stringContaining("the same") });
    expect(await twice.list()).toHaveLength(2);
  });
});

const pathOf = (name: string) => `/data/local/tmp/${name}`;

async function* once(bytes: Uint8Array) {
  yield bytes;
}

async function withLink<T>({ host, port }: AdbAddress, act: (link: AdbLink) => Promise<T>): Promise<T> {
  // adbd may not listen yet.
  for (let tries = 0; ; tries++)
    try {
      const link = await connectAdb(nodeSocketDuplex(connect(port, host)), { signal: AbortSignal.timeout(5_000) });
      try {
        return await act(link);
      } finally {
        link.close();
      }
    } catch (error) {
      if (tries > 20 || (error as { code?: string }).code !== "CLOSED") throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
}

const shell = (adb: AdbAddress, command: string): Promise<string> =>
  withLink(adb, async (link) => (await link.shell(command)).stdout);
