import { abortable } from "@terrarium/clock";
import {
  cutTar,
  joinTars,
  type Layer,
  type LayerStore,
  savedUserData,
  savedUserDataSize,
  type SaveOptions,
  saveUserData,
} from "@terrarium/runtime";
import type { Cluster } from "./cluster.ts";
import { type DiskCopy, READER } from "./disk-copy.ts";
import { exec, output } from "./exec.ts";
import { DATA, DEVICE, type Hosted, RESTORE } from "./pod.ts";

/** All processes of the device but its first, and but this one; until it is released, or the connection ends, for whatever reason. */
const holding = (first = "") => `kill -STOP -1; ${first}echo held; read -r _; kill -CONT -1`;
const HOLD = holding();
/** With what is in memory written to the disk: where a program can, to this one alone. */
const HOLD_DISK = holding(`sync -f ${DATA}; `);
/** As a killed gateway may have left it. */
const GO_ON = "kill -CONT -1";
/**
 * What is in a folder before the folder, so that its times are set last; always in the same order, in as many tars as calls are needed.
 * Sockets cannot be stored, and names with line breaks cannot be listed.
 */
const READ = `cd ${DATA} && find . -xdev \\( -name '*
*' -prune \\) -o \\( ! -type s -print \\) | LC_ALL=C sort -r | tr '\\n' '\\0' | xargs -0 tar -c -f - --no-recursion`;
/** By any image's tar: Android's names of users are not known there. */
const restore = (bytes: number) => `head -c ${bytes} | tar -x --numeric-owner -f - -C ${DATA} && : > /restored`;

const shell = (script: string): readonly string[] => ["sh", "-c", script];

/** Lets a device go on that a save has left standing still. */
export async function goOn(cluster: Cluster, { pod }: Hosted, signal: AbortSignal): Promise<void> {
  await output(cluster, { pod, container: DEVICE, command: shell(GO_ON) }, signal);
}

/** Saves a device's user data. It stands still meanwhile. */
export async function saveData(
  cluster: Cluster,
  { pod, diskMb }: Hosted,
  store: LayerStore,
  options: { signal: AbortSignal } & SaveOptions,
): Promise<Layer[]> {
  const letGo = await hold(cluster, pod, HOLD, options.signal);
  try {
    return await saveIn(cluster, { pod, container: DEVICE }, store, { maxMb: diskMb, ...options });
  } finally {
    await letGo();
  }
}

/** Saves it from a copy of its disk. It stands still only until that is taken. */
export async function saveCopiedData(
  cluster: Cluster,
  { pod, diskMb }: Hosted,
  copy: DiskCopy,
  store: LayerStore,
  options: { signal: AbortSignal } & SaveOptions,
): Promise<Layer[]> {
  const { signal } = options;
  try {
    const letGo = await hold(cluster, pod, HOLD_DISK, signal);
    try {
      await copy.take(signal);
    } finally {
      await letGo();
    }
    const reader = { pod: await copy.open(signal), container: READER };
    return await saveIn(cluster, reader, store, { maxMb: diskMb, ...options });
  } finally {
    await copy.remove();
  }
}

async function saveIn(
  cluster: Cluster,
  container: { pod: string; container: string },
  store: LayerStore,
  options: { maxMb: number; signal: AbortSignal } & SaveOptions,
): Promise<Layer[]> {
  const read = () => cutTar(joinTars(exec(cluster, { ...container, command: shell(READ) }, options.signal)));
  return abortable(saveUserData(read, store, options), options.signal);
}

/** Puts a saved state into a Pod that waits for it. */
export async function restoreData(
  cluster: Cluster,
  pod: string,
  { layers, store, signal }: { layers: readonly Layer[]; store: LayerStore; signal: AbortSignal },
): Promise<void> {
  const bytes = await savedUserDataSize(layers, store, signal);
  const stdin = savedUserData(layers, store, signal);
  await output(cluster, { pod, container: RESTORE, command: shell(restore(bytes)), stdin }, signal);
}

/** Resolves when it stands still, with what lets it go on. */
async function hold(cluster: Cluster, pod: string, script: string, signal: AbortSignal): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  const stdin = async function* () {
    await released.promise;
    yield Buffer.from("\n");
  };
  const holder = exec(cluster, { pod, container: DEVICE, command: shell(script), stdin: stdin() }, signal);
  const letGo = async () => {
    released.resolve();
    // If the connection is gone, so is what held it.
    for await (const _ of { [Symbol.asyncIterator]: () => holder });
  };
  await holder.next();
  return () => letGo().catch(() => undefined);
}
