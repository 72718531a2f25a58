import { type MachineRef, type MachineSpec, redroidArguments } from "@terrarium/runtime";
import type { ContainerCreateOptions, ContainerInfo } from "dockerode";

/** Where Android stores what survives a reboot: a volume in each container, and what is saved. */
export const DATA = "/data";

/** What is ours says whose it is, so that nothing else is ever touched. */
export const label = {
  /** The installation. Containers, volumes and networks have it. */
  place: "terrarium.place",
  id: "terrarium.id",
  /** Instead of the id of a device: a container that only looks at its host. */
  probe: "terrarium.probe",
  boot: "terrarium.boot",
  /** The port of loopback that leads to its adb. */
  port: "terrarium.port",
  ramMb: "terrarium.ram-mb",
  diskMb: "terrarium.disk-mb",
} as const;

/** What is known about a container that runs a machine. */
export interface Hosted extends MachineRef {
  container: string;
  port: number;
  ramMb: number;
  diskMb: number;
  isPaused: boolean;
}

export const hostedOf = ({ Id, State, Labels }: ContainerInfo): Hosted => ({
  container: Id,
  id: Labels[label.id] ?? "",
  boot: Number(Labels[label.boot]),
  port: Number(Labels[label.port]),
  ramMb: Number(Labels[label.ramMb] ?? 0),
  diskMb: Number(Labels[label.diskMb]),
  isPaused: State === "paused",
});

/** Names a machine's container, volume and network alike: of two that start a machine, one fails. */
export function nameOf(place: string, id: string): string {
  if (!/^[\w-]{1,64}$/.test(id)) throw new TypeError("not the id of a device");
  return `terrarium-${place.slice(-12)}-${id}`;
}

/** A period of the scheduler in microseconds, the usual one. */
const PERIOD = 100_000;
/** Android has some thousands of threads; more is a fork bomb. */
const MAX_PROCESSES = 32_768;

export interface ContainerParts {
  name: string;
  place: string;
  port: number;
  isRedroid: boolean;
}

/** A container that publishes no port, in a network of its own, with no more than its profile says. */
export function containerOf(spec: MachineSpec, { name, place, port, isRedroid }: ContainerParts) {
  const { id, boot, image, hardware, layers } = spec;
  const memory = hardware.ramMb * 1024 * 1024;
  return {
    name,
    Image: image.artefact,
    ...(isRedroid ? { Cmd: redroidArguments(hardware) } : {}),
    Labels: {
      [label.place]: place,
      [label.id]: id,
      [label.boot]: String(boot),
      [label.port]: String(port),
      [label.ramMb]: String(hardware.ramMb),
      [label.diskMb]: String(hardware.dataDiskMb),
    },
    HostConfig: {
      NetworkMode: name,
      // Android mounts, makes devices and uses binder.
      Privileged: isRedroid,
      Memory: memory,
      MemorySwap: memory,
      // Unlike NanoCpus they may be more than the host has.
      CpuPeriod: PERIOD,
      CpuQuota: hardware.cpuCount * PERIOD,
      PidsLimit: MAX_PROCESSES,
      // A new device gets what its image has there; a saved one only what was saved.
      Mounts: [{ Type: "volume", Source: name, Target: DATA, VolumeOptions: { NoCopy: layers.length > 0 } as never }],
      LogConfig: { Type: "json-file", Config: { "max-size": "1m", "max-file": "1" } },
    },
  } satisfies ContainerCreateOptions;
}

/** How many addresses a device's network has: the least with a gateway that Docker takes is 4, of which some are its own. */
const NETWORK_BITS = 29;

/** The networks of a range, from a place in it on and round it once; each is for one device. @param range `10.213.0.0/16` */
export function* subnetsOf(range: string, from: number): Generator<string> {
  const [address = "", bits] = range.split("/");
  const base = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  const count = 2 ** (NETWORK_BITS - Number(bits));
  for (let at = 0; at < count; at++) {
    const start = base + ((from + at) % count) * 2 ** (32 - NETWORK_BITS);
    const parts = [24, 16, 8, 0].map((shift) => Math.floor(start / 2 ** shift) % 256);
    yield `${parts.join(".")}/${NETWORK_BITS}`;
  }
}
