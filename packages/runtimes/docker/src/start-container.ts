import { abortable } from "@terrarium/clock";
import { type Ask, type Layer, type LayerStore, type MachineSpec, savedUserData } from "@terrarium/runtime";
import type Docker from "dockerode";
import type { Container } from "dockerode";
import { Readable } from "node:stream";
import type { AdbTunnel } from "./adb-tunnel.ts";
import { containerOf, type Hosted, label, nameOf, subnetsOf } from "./container.ts";

const MAX_TRIES = 8;

export interface StartOptions {
  docker: Docker;
  ask: Ask;
  place: string;
  layers: LayerStore;
  isRedroid: boolean;
  /** Of which each device has a small part. */
  networks: string;
  /** Whether devices reach anything but this host. */
  hasInternet: boolean;
  openTunnel: (container: () => Container | undefined) => Promise<AdbTunnel>;
}

/** Starts a machine's container, with a volume, a network and a tunnel of its own. If it fails, they may be left, but the tunnel. */
export async function startContainer(
  spec: MachineSpec,
  options: StartOptions,
  signal: AbortSignal,
): Promise<{ hosted: Hosted; tunnel: AdbTunnel }> {
  const { docker, ask, place, isRedroid } = options;
  const name = nameOf(place, spec.id);
  const Labels = { [label.place]: place, [label.id]: spec.id };
  signal.throwIfAborted();
  await ask(() => docker.createVolume({ Name: name, Labels }));
  await makeNetwork(name, Labels, options);
  let container: Container | undefined;
  const tunnel = await options.openTunnel(() => container);
  try {
    const { port } = tunnel.address;
    container = await ask(() => docker.createContainer(containerOf(spec, { name, place, port, isRedroid })));
    if (spec.layers.length > 0) await restore(container, spec.layers, options.layers, signal);
    signal.throwIfAborted();
    const { id } = container;
    await ask(() => docker.getContainer(id).start());
    signal.throwIfAborted();
    const { ramMb, dataDiskMb: diskMb } = spec.hardware;
    return { hosted: { container: id, id: spec.id, boot: spec.boot, port, ramMb, diskMb, isPaused: false }, tunnel };
  } catch (error) {
    tunnel.close();
    throw error;
  }
}

async function restore(
  container: Container,
  layers: readonly Layer[],
  store: LayerStore,
  signal: AbortSignal,
): Promise<void> {
  const tar = Readable.from(savedUserData(layers, store, signal));
  const taken = container.putArchive(tar, { path: "/" });
  const failed = new Promise<never>((_, reject) => tar.once("error", reject));
  await abortable(Promise.race([taken, failed]), signal);
}

async function makeNetwork(
  Name: string,
  Labels: Record<string, string>,
  { docker, ask, networks: range, hasInternet }: StartOptions,
): Promise<void> {
  const known = await ask(() => docker.listNetworks());
  const taken = new Set(known.flatMap(({ IPAM }) => IPAM?.Config?.map(({ Subnet }) => Subnet) ?? []));
  let tries = 0;
  // From a random place on: other programs take networks too.
  for (const Subnet of subnetsOf(range, Math.floor(Math.random() * 2 ** 20))) {
    if (taken.has(Subnet)) continue;
    const IPAM = { Driver: "default", Config: [{ Subnet }] };
    try {
      await ask(() => docker.createNetwork({ Name, Labels, Internal: !hasInternet, IPAM }));
      return;
    } catch (error) {
      if (++tries >= MAX_TRIES || !/overlap/i.test(String(error))) throw error;
    }
  }
  throw new Error(`all networks in ${range} are taken`);
}
