import { adbKeyIn } from "@terrarium/adb";
import { defineRuntime } from "@terrarium/runtime";
import Docker, { type DockerOptions } from "dockerode";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { OfferedHost } from "./docker-host.ts";
import { dockerRuntime } from "./docker-runtime.ts";

/** Where a Docker answers. */
interface HostAddress extends Omit<OfferedHost, "docker"> {
  connection: DockerOptions;
}

const DEFAULT_HOST = "unix:///var/run/docker.sock";
const DEFAULT_IMAGE = "redroid/redroid:14.0.0_64only-latest";

const list = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);
const Address = z.string().regex(/^(unix:\/\/\/.+|tcp:\/\/([\w.-]+|\[[\da-f:]+\]):\d{1,5})$/i, {
  error: ({ input }) => `"${String(input)}" is neither unix:///path nor tcp://host:port`,
});
const Addresses = list.pipe(z.array(Address).max(100));
/** Room for 8 addresses at least. */
const Range = z.cidrv4().refine((range) => Number(range.split("/")[1]) <= 29, "must have 8 addresses or more");

const settings = z.object({
  TERRARIUM_DOCKER_HOSTS: Addresses.pipe(z.array(z.string()).min(1, "must name a host"))
    .default([DEFAULT_HOST])
    .meta({
      description: "where Docker answers, `unix:///path` or `tcp://host:port` with TLS, separated by commas",
      shown: `\`${DEFAULT_HOST}\``,
    }),
  TERRARIUM_DOCKER_DRAIN: Addresses.default([]).meta({
    description: "those of the Docker hosts that take no new devices",
    shown: "none",
  }),
  TERRARIUM_DOCKER_CERTS: z
    .string()
    .optional()
    .describe("the folder with `ca.pem`, `cert.pem` and `key.pem` for Docker hosts over TLS"),
  TERRARIUM_DOCKER_IMAGES: list.default([DEFAULT_IMAGE]).meta({
    description: "images that answer adb on port 5555, which the operator's console offers, separated by commas",
    shown: `\`${DEFAULT_IMAGE}\``,
  }),
  TERRARIUM_DOCKER_MAX_DEVICES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(20)
    .describe("devices at once on each Docker host; its memory may allow fewer"),
  TERRARIUM_DOCKER_NETWORKS: Range.default("10.213.0.0/16").describe(
    "unused addresses on the Docker hosts, of which the network of each device gets 8",
  ),
  TERRARIUM_DOCKER_INTERNET: z
    .enum(["on", "off"])
    .default("on")
    .describe("`off` to keep devices in containers from every network but their own"),
  TERRARIUM_DOCKER_GRACE_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3600)
    .default(60)
    .describe("how long a Docker host may not answer before the sessions there end"),
  TERRARIUM_DOCKER_BOOT_SECONDS: z.coerce
    .number()
    .int()
    .min(10)
    .max(240)
    .default(200)
    .describe("how long Android in a container may take to start; after 240 every start is over"),
});

export const runtime = defineRuntime({
  name: "docker",
  settings,
  create: ({ settings: env, dataDir, layers, clock, log }) =>
    dockerRuntime({
      dataDir,
      layers,
      clock,
      log,
      adbKey: adbKeyIn(dataDir),
      hosts: hostsOf(env).map(({ connection, ...host }) => ({ ...host, docker: new Docker(connection) })),
      images: env.TERRARIUM_DOCKER_IMAGES,
      maxDevices: env.TERRARIUM_DOCKER_MAX_DEVICES,
      networks: env.TERRARIUM_DOCKER_NETWORKS,
      hasInternet: env.TERRARIUM_DOCKER_INTERNET === "on",
      graceMs: env.TERRARIUM_DOCKER_GRACE_SECONDS * 1000,
      bootMs: env.TERRARIUM_DOCKER_BOOT_SECONDS * 1000,
    }),
});

/** @throws Error that names the setting */
export function hostsOf(
  env: Pick<z.output<typeof settings>, `TERRARIUM_DOCKER_${"HOSTS" | "DRAIN" | "CERTS"}`>,
): HostAddress[] {
  const { TERRARIUM_DOCKER_HOSTS: hosts, TERRARIUM_DOCKER_DRAIN: drained, TERRARIUM_DOCKER_CERTS: certs } = env;
  const unknown = drained.find((name) => !hosts.includes(name));
  if (unknown !== undefined)
    throw new Error(`TERRARIUM_DOCKER_DRAIN names ${unknown}, which TERRARIUM_DOCKER_HOSTS does not`);
  // Without a certificate whoever reaches the port owns the host.
  const overTcp = hosts.find((name) => name.startsWith("tcp:"));
  if (overTcp !== undefined && certs === undefined)
    throw new Error(`${overTcp} needs TERRARIUM_DOCKER_CERTS, a folder with ca.pem, cert.pem and key.pem`);
  return [...new Set(hosts)].map((name) => ({
    name,
    connection: connectionTo(name, certs),
    isDraining: drained.includes(name),
  }));
}

/** All that the library would otherwise take from the environment of Docker's own command line is said. */
function connectionTo(name: string, certs: string | undefined): HostAddress["connection"] {
  const none = { host: undefined, port: undefined, ca: undefined, cert: undefined, key: undefined };
  const socketPath = name.slice("unix://".length);
  if (name.startsWith("unix:"))
    return { ...none, protocol: "http", socketPath } as unknown as HostAddress["connection"];
  const { hostname, port } = new URL(name);
  const [ca, cert, key] = ["ca", "cert", "key"].map((part) => readFileSync(join(certs ?? "", `${part}.pem`), "utf8"));
  return { protocol: "https", host: hostname.replaceAll(/[[\]]/g, ""), port, ca, cert, key };
}
