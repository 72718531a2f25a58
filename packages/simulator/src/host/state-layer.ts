import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { type Layer, LayerDamagedError } from "@terrarium/runtime";
import type { PersistentState } from "../device/persistent-state.ts";
import type { SavedEntry } from "../files/saved-tree.ts";

/**
 * A saved device is a stack of layers. The last one is a state layer: lines of JSON, first its head, then an entry for each change of the
 * file tree, directories before what is in them.
 *
 *   {"format":"terrarium-simulator-state","version":1,"parent":{"sha256":"...","size":1234},"kept":{...}}
 *   {"kind":"deleted","path":"/data/local/tmp/a"}
 *   {"kind":"file","path":"/data/local/tmp/b","mode":384,"mtimeMs":...,"uid":2000,"gid":2000,"place":{"layer":"...","size":70000}}
 *
 * It changes the state of its parent, and the first one a new device. The bytes of files are in other layers: the largest files are a
 * layer each, so that equal ones are stored once; the others share a layer, a pack, and their place says where they begin in it.
 */
const FORMAT = "terrarium-simulator-state";
const VERSION = 1;

/** How many entries are read in one turn of the event loop. */
const ENTRIES_PER_TURN = 500;
/** More than any device writes: a stack is flattened before. */
const MAX_DEPTH = 100;

export interface StateHead {
  parent: Layer | null;
  /** Everything that is not a file; it replaces the parent's. */
  kept: PersistentState;
}

export interface StateLayer extends StateHead {
  layer: Layer;
  entries: SavedEntry[];
}

export const headLine = (head: StateHead): string =>
  `${JSON.stringify({ format: FORMAT, version: VERSION, ...head })}\n`;

export const entryLine = (entry: SavedEntry): string => `${JSON.stringify(entry)}\n`;

/**
 * Reads a state and those below it, the lowest first.
 * @param folder holds each layer in a file of its name
 * @throws LayerDamagedError if one is missing or has other bytes; Error if it was not saved by this version
 */
export async function readStates(folder: string, top: Layer): Promise<StateLayer[]> {
  const states: StateLayer[] = [];
  for (let next: Layer | null = top; next; next = states[0]!.parent) {
    if (states.length >= MAX_DEPTH) throw new LayerDamagedError(top, `has more than ${MAX_DEPTH} layers below it`);
    states.unshift(await readState(folder, next));
  }
  return states;
}

async function readState(folder: string, layer: Layer): Promise<StateLayer> {
  const bytes = await readFile(`${folder}/${layer.sha256}`).catch((cause: unknown) => {
    throw new LayerDamagedError(layer, "cannot be read", { cause });
  });
  if (createHash("sha256").update(bytes).digest("hex") !== layer.sha256)
    throw new LayerDamagedError(layer, "has other content");
  const [first = "", ...lines] = bytes.toString("utf8").trimEnd().split("\n");
  const { format, version, ...head } = parse(first);
  if (format !== FORMAT || version !== VERSION)
    throw new Error(`the saved state ${layer.sha256} was saved by another runtime or version`);
  const entries: SavedEntry[] = [];
  for (const line of lines) {
    entries.push(JSON.parse(line) as SavedEntry);
    if (entries.length % ENTRIES_PER_TURN === 0) await setImmediate();
  }
  return { ...head, layer, entries };
}

function parse(line: string): StateHead & { format?: string; version?: number } {
  try {
    return JSON.parse(line) as StateHead;
  } catch {
    // Not one of ours: it has no format.
    return {} as StateHead;
  }
}
