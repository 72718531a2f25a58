import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aMachineSpec } from "@terrarium/runtime/testing";
import { expect, it, onTestFinished } from "vitest";
import { containerOf, nameOf, subnetsOf } from "./container.ts";
import { hostsOf, runtime } from "./runtime.ts";
import { cutTar } from "./cut-tar.ts";

const parts = { name: "n", place: "docker-p", port: 7001, isRedroid: true };

it("starts redroid privileged, with its screen's size, and anything else with neither", () => {
  const spec = aMachineSpec();
  const redroid = containerOf(spec, parts);
  expect(redroid.Cmd).toEqual([
    "androidboot.redroid_width=360",
    "androidboot.redroid_height=640",
    "androidboot.redroid_dpi=160",
    "androidboot.redroid_fps=30",
    "androidboot.redroid_gpu_mode=guest",
    "androidboot.use_memfd=1",
  ]);
  expect(redroid.HostConfig.Privileged).toBe(true);
  const other = containerOf(spec, { ...parts, isRedroid: false });
  expect(other.HostConfig.Privileged).toBe(false);
  expect(other).not.toHaveProperty("Cmd");
});

it("limits memory without swap, processors and processes, and publishes nothing", () => {
  const { HostConfig } = containerOf(aMachineSpec(), parts);
  expect(HostConfig).toMatchObject({
    Memory: 2 ** 31,
    MemorySwap: 2 ** 31,
    CpuQuota: 200_000,
    CpuPeriod: 100_000,
    PidsLimit: 32_768,
  });
  expect(HostConfig).not.toHaveProperty("PortBindings");
});

it("takes no id that would be more than a name", () => {
  for (const id of ["../x", "a b", "", "a/b"]) expect(() => nameOf("docker-p", id)).toThrow(TypeError);
});

it("gives networks of a range from a place on, each once", () => {
  expect([...subnetsOf("10.1.255.224/27", 2)]).toEqual([
    "10.1.255.240/29",
    "10.1.255.248/29",
    "10.1.255.224/29",
    "10.1.255.232/29",
  ]);
});

it("names the setting that is wrong", () => {
  const read = (env: Record<string, string>) => hostsOf(runtime.settings.parse(env));
  expect(read({}).map(({ name }) => name)).toEqual(["unix:///var/run/docker.sock"]);
  expect(() => read({ TERRARIUM_DOCKER_HOSTS: "http://h:1" })).toThrow("neither unix:///path nor tcp://host:port");
  expect(() => read({ TERRARIUM_DOCKER_HOSTS: " , " })).toThrow("must name a host");
  expect(() => read({ TERRARIUM_DOCKER_HOSTS: "tcp://h:2376" })).toThrow("needs TERRARIUM_DOCKER_CERTS");
  expect(() => read({ TERRARIUM_DOCKER_DRAIN: "unix:///other" })).toThrow("TERRARIUM_DOCKER_DRAIN names unix:///other");
  expect(() => runtime.settings.parse({ TERRARIUM_DOCKER_NETWORKS: "10.0.0.0/30" })).toThrow("8 addresses");
});

it("takes a host over TLS with the operator's files, and nothing from the environment", () => {
  const folder = mkdtempSync(join(tmpdir(), "certs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const part of ["ca", "cert", "key"]) writeFileSync(join(folder, `${part}.pem`), part);
  const hosts = hostsOf(
    runtime.settings.parse({
      TERRARIUM_DOCKER_HOSTS: "tcp://[::1]:2376,unix:///a",
      TERRARIUM_DOCKER_DRAIN: "unix:///a",
      TERRARIUM_DOCKER_CERTS: folder,
    }),
  );
  const tls = { protocol: "https", host: "::1", port: "2376", ca: "ca", cert: "cert", key: "key" };
  expect(hosts).toEqual([
    { name: "tcp://[::1]:2376", isDraining: false, connection: tls },
    {
      name: "unix:///a",
      isDraining: true,
      connection: expect.objectContaining({ host: undefined, protocol: "http", socketPath: "/a" }),
    },
  ]);
  expect(hosts[1]!.connection).toHaveProperty("host");
});

it("cuts a tar into parts that make it again, however its bytes arrive and whatever they are", async () => {
  const header = (size: number, sum: number) => {
    const block = Buffer.alloc(512, "n");
    block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
    block.write(`${sum.toString(8).padStart(6, "0")}\0`, 148);
    return block;
  };
  const large = Buffer.alloc(200_000, "L");
  const tar = Buffer.concat([
    header(5, 2),
    Buffer.alloc(512, "s"),
    header(large.length, 65),
    large,
    Buffer.alloc(192),
    header(0, 3),
    Buffer.alloc(1024),
  ]);
  const cut = async (bytes: Buffer, size: number) => {
    const found: Buffer[] = [];
    const chunks = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    for await (const part of cutTar(chunks())) {
      const read: Uint8Array[] = [];
      for await (const chunk of part.bytes) read.push(chunk);
      found.push(Buffer.concat(read));
    }
    return found;
  };
  for (const size of [7, 512, 5_000, 1 << 20]) {
    const found = await cut(tar, size);
    expect(Buffer.concat(found).equals(tar)).toBe(true);
    expect(found.filter((part) => part.equals(large))).toHaveLength(1);
    expect(found).toHaveLength(4);
  }
  await expect(cut(tar.subarray(0, -1024), 512)).rejects.toThrow("did not send all");
  const noise = Buffer.concat([Buffer.alloc(5_000, "x8"), Buffer.alloc(1024)]);
  expect(Buffer.concat(await cut(noise, 100)).equals(noise)).toBe(true);
});
