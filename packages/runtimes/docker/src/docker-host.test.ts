import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { TestClock } from "@terrarium/clock";
import { aMachineSpec, MemoryLayers } from "@terrarium/runtime/testing";
import type { Container } from "dockerode";
import { describe, expect, it, onTestFinished } from "vitest";
import { openAdbTunnel } from "./adb-tunnel.ts";
import { label, nameOf } from "./container.ts";
import { dockerRuntime, type DockerRuntimeOptions } from "./docker-runtime.ts";
import { FakeDocker } from "./testing/fake-docker.ts";

const none = new AbortController().signal;
const { image } = aMachineSpec();
const redroid = ["androidboot.hardware=redroid"];
const inUse = Object.assign(new Error("remove it: volume is in use - [1]"), { statusCode: 409 });

async function aHost(more: Partial<DockerRuntimeOptions> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), "docker-"));
  const fake = new FakeDocker();
  const clock = new TestClock();
  const logged: string[] = [];
  const make = () => {
    const made = dockerRuntime({
      dataDir,
      clock,
      log: (line) => logged.push(line),
      layers: new MemoryLayers(),
      adbKey: () => Promise.reject(new Error("no key was expected")),
      hosts: [{ name: "host", docker: fake.docker, isDraining: false }],
      images: [],
      maxDevices: 1,
      networks: "10.213.0.0/16",
      hasInternet: true,
      graceMs: 60_000,
      bootMs: 60_000,
      ...more,
    });
    onTestFinished(() => made.close());
    return made;
  };
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const runtime = make();
  const place = await runtime.place();
  /** A container of ours. */
  const has = (id: string, State = "running", labels = {}) => {
    const name = nameOf(place, id);
    const Labels = {
      [label.place]: place,
      [label.id]: id,
      [label.boot]: "1",
      [label.port]: "0",
      [label.ramMb]: "1024",
    };
    fake.containers.push({ name, Id: name, State, Labels: { ...Labels, ...labels }, words: [] });
    return name;
  };
  const ids = () => fake.containers.map(({ Labels }) => Labels[label.id]);
  /** Lets time pass until something is so. */
  const passUntil = async (isSo: () => boolean) => {
    await expect.poll(async () => (await clock.advance(1_000), isSo())).toBe(true);
  };
  return { runtime, make, fake, clock, logged, place, has, ids, passUntil };
}

describe("a Docker host", () => {
  it("is only read by a process that does not supervise its devices", async () => {
    const { runtime, fake, has, ids, passUntil } = await aHost();
    has("started", "created");
    has("saved", "paused");
    await runtime.verify!(image);
    await runtime.found!();
    await passUntil(() => true);
    expect(fake.containers.map(({ State }) => State)).toEqual(["created", "paused"]);
    expect(await runtime.list()).toEqual([{ id: "saved", boot: 1 }]);
    await expect.poll(ids).toEqual(["saved"]);
    await expect.poll(() => fake.containers[0]!.State).toBe("running");
  });

  it("answers although something cannot be removed, which keeps nothing else from it and is logged once", async () => {
    const { runtime, fake, clock, has, ids, logged } = await aHost({ graceMs: 0 });
    has("device");
    fake.refusals.set(has("stuck", "exited"), new Error("device or resource busy"));
    has("left", "exited");
    const machine = (await runtime.adopt({ id: "device", boot: 1 }))!;
    await expect.poll(ids).toEqual(["device", "stuck"]);
    for (let times = 0; times < 3; times++) await clock.advance(6_000);
    expect(machine.gone.aborted).toBe(false);
    expect(logged.filter((line) => line.includes("busy"))).toHaveLength(1);
    fake.refusals.clear();
    await expect.poll(async () => (await clock.advance(6_000), ids())).toEqual(["device"]);
  });

  it("ends a device that cannot be removed, and removes it later", async () => {
    const { runtime, fake, clock, has, ids } = await aHost();
    const name = has("device");
    fake.refusals.set(name, new Error("device or resource busy"));
    expect(await runtime.list()).toHaveLength(1);
    await runtime.stop("device");
    expect(await runtime.list()).toEqual([]);
    fake.refusals.clear();
    fake.refusals.set(name, inUse);
    fake.volumes.set(name, fake.containers[0]!.Labels);
    fake.containers = [];
    await clock.advance(6_000);
    expect(fake.volumes.size).toBe(1);
    // A next boot would take the old one's data for its own.
    await expect(runtime.start(aMachineSpec({ id: "device" }), none)).rejects.toThrow("is in use");
    fake.refusals.clear();
    await expect.poll(async () => (await clock.advance(6_000), [ids(), fake.volumes.size])).toEqual([[], 0]);
  });

  it("runs redroid only if each container can have a binder of its own", async () => {
    const { make, fake } = await aHost();
    fake.words = redroid;
    fake.files["/proc/misc"] = " 58 binder\n";
    await expect(make().verify!(image)).rejects.toThrow("no binder file system");
    fake.files["/proc/filesystems"] += "nodev\tbinder\n";
    expect(await make().verify!(image)).toBe("sha256:1");
    expect(fake.containers).toEqual([]);
  });

  it("counts no container that only looks at its kernel, and leaves it to the process that reads it", async () => {
    const { runtime, make, fake, clock, has, ids } = await aHost();
    fake.words = redroid;
    fake.runsOn = true;
    void make().verify!(image).catch(() => undefined);
    await expect.poll(() => fake.containers[0]?.State).toBe("running");
    fake.words = [];
    const spec = aMachineSpec();
    spec.hardware.ramMb = 1 << 20;
    await expect(runtime.start(spec, none)).rejects.toThrow("it has 7372 MiB of memory");
    has("left", "exited");
    await expect.poll(async () => (await clock.advance(6_000), ids())).toEqual([undefined]);
  });

  it("is waited for after a restart for as long as its devices may wait", async () => {
    const { runtime, make, fake, clock, has, passUntil } = await aHost();
    has("device");
    fake.hangs = true;
    const ref = { id: "device", boot: 1 };
    let found: unknown = "waiting";
    void runtime.adopt(ref).then((machine) => (found = machine));
    for (let passed = 0; passed < 30; passed++) await clock.advance(1_000);
    expect(found).toBe("waiting");
    fake.hangs = false;
    await passUntil(() => found !== "waiting");
    expect(found).toMatchObject(ref);
    fake.hangs = true;
    let other: unknown = "waiting";
    void make()
      .adopt(ref)
      .then((machine) => (other = machine));
    const began = clock.monotonic();
    await passUntil(() => other !== "waiting");
    expect(other).toBeUndefined();
    expect(clock.monotonic() - began).toBeGreaterThanOrEqual(60_000);
  });
});

it("a tunnel that is to hold gives up with its signal, and in time if Docker does not say what runs", async () => {
  const clock = new TestClock();
  let asked = 0;
  const inspect = () => (asked++, new Promise<never>(() => undefined));
  const exec = async () => ({ start: async () => new PassThrough(), inspect });
  const tunnel = await openAdbTunnel(() => ({ exec }) as unknown as Container, undefined, { clock, log: () => {} });
  onTestFinished(() => tunnel.close());
  const socket = connect(tunnel.address.port, tunnel.address.host);
  onTestFinished(() => void socket.destroy());
  // The program has begun when it echoes.
  const echoed = new Promise((resolve) => socket.once("data", resolve));
  socket.write(Buffer.from([1, 0, 0, 0, 0, 0, 0, 1, 65]));
  await echoed;
  const end = new AbortController();
  const holding = tunnel.hold(end.signal);
  end.abort(new Error("enough"));
  await expect(holding).rejects.toThrow("enough");
  const held = tunnel.hold(none);
  await clock.advance(5_000);
  (await held)();
  expect(asked).toBe(2);
});
