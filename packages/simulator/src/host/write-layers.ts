import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Layer } from "@terrarium/runtime";
import { isTransient, saveState } from "../device/persistent-state.ts";
import type { SimulatedDevice } from "../device/simulated-device.ts";
import type { Content, DirectoryNode } from "../files/node.ts";
import { entryOf } from "../files/saved-tree.ts";
import { type TreeChange, treeChanges } from "../files/tree-changes.ts";
import { LayerWriter } from "./layer-writer.ts";
import { SavedPlaces } from "./saved-places.ts";
import { entryLine, headLine, type StateLayer } from "./state-layer.ts";

/** The top directories that survive a reboot of Android. */
const PERSISTENT_FOLDERS = new Set(["data", "storage", "cache"]);
/** A stack of this many states is replaced by a single one. */
const MAX_STATES = 16;
/** How many entries are written in one turn of the event loop. */
const ENTRIES_PER_TURN = 500;

export interface WriteOptions {
  device: SimulatedDevice;
  /** The states that the device was started from, the lowest first. */
  states: readonly StateLayer[];
  /** Where their layers are. */
  layerFolder: string | undefined;
  /** Where new layers go, each in a file of its name. */
  folder: string;
  signal: AbortSignal;
}

/**
 * Writes what has changed on a device since its start, and returns the whole stack: the layers of files, then the states, the lowest
 * first. The device must not change meanwhile. Nothing is written if it has not changed since its start.
 * @throws the signal's reason; FileError EIO if a file cannot be read
 */
export async function writeLayers({ device, states, layerFolder, folder, signal }: WriteOptions): Promise<Layer[]> {
  const { volume } = device;
  const kept = saveState(device);
  const top = states.at(-1);
  const changes = changesSince(volume.sealed, volume.root);
  const chain = states.map(({ layer }) => layer.sha256);
  const isChanged = !top || changes.length > 0 || JSON.stringify(kept) !== JSON.stringify(top.kept);
  const isFlattened = isChanged && states.length >= MAX_STATES;
  const contents = [...contentsOf(volume.root)];
  const places = new SavedPlaces(folder, contents, { signal, repacks: isFlattened });
  try {
    for (const content of contents) await places.add(content);
    places.finish();
    if (isFlattened) chain.length = 0;
    if (isChanged) {
      const parent = isFlattened ? null : (top?.layer ?? null);
      const head = headLine({ parent, kept });
      const all = isFlattened ? changesSince(volume.base, volume.root) : changes;
      chain.push(await writeState(folder, head, all, places));
    }
    const used = new Set(contents.map((content) => places.of(content)!.layer));
    const stack = [...[...used].toSorted(), ...chain];
    return stack.map((sha256) => ({ sha256, size: sizeOf(sha256, [folder, layerFolder]) }));
  } finally {
    places.close();
  }
}

/** The differences that are saved. */
const changesSince = (before: DirectoryNode, now: DirectoryNode): TreeChange[] =>
  [...treeChanges(before, now)].filter(({ path }) => isPersistent(path));

const isPersistent = (path: string): boolean =>
  PERSISTENT_FOLDERS.has(path.split("/", 2)[1] ?? "") && !isTransient(path);

function* contentsOf(directory: DirectoryNode, path = ""): Generator<Content, void, undefined> {
  for (const [name, node] of directory.children) {
    const here = `${path}/${name}`;
    if (!isPersistent(here)) continue;
    if (node.kind === "file") yield node.content;
    if (node.kind === "directory") yield* contentsOf(node, here);
  }
}

/** Returns the name of the layer. */
async function writeState(
  folder: string,
  head: string,
  changes: readonly TreeChange[],
  places: SavedPlaces,
): Promise<string> {
  const writer = new LayerWriter(folder, "state");
  writer.write(Buffer.from(head));
  for (let at = 0; at < changes.length; at += ENTRIES_PER_TURN) {
    const entries = changes
      .slice(at, at + ENTRIES_PER_TURN)
      .map((change) => entryLine(entryOf(change, (content) => places.of(content)!)));
    writer.write(Buffer.from(entries.join("")));
    await setImmediate();
  }
  return writer.finish().sha256;
}

function sizeOf(sha256: string, folders: readonly (string | undefined)[]): number {
  for (const folder of folders) {
    const found = folder && statSync(`${folder}/${sha256}`, { throwIfNoEntry: false });
    if (found) return found.size;
  }
  throw new Error(`layer ${sha256} is not there`);
}
