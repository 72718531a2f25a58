import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aMachineSpec } from "@terrarium/runtime/testing";
import { expect, it, onTestFinished } from "vitest";
import { containerOf, nameOf, subnetsOf } from "./container.ts";
import { hostsOf, runtime } from "./runtime.ts";

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
