import { buffer } from "node:stream/consumers";
import type { Layer, LayerStore } from "../layers.ts";

/** What is on a fake machine: texts by name. */
export type FakeState = Map<string, string>;

/** Reads the layers of a fake machine, the lowest first. */
export async function readFakeState(layers: readonly Layer[], store: LayerStore, signal: AbortSignal) {
  const state: FakeState = new Map();
  for (const layer of layers) {
    const changes = JSON.parse(String(await buffer(store.get(layer, signal)))) as Record<string, string | null>;
    for (const [name, text] of Object.entries(changes)) {
      if (text === null) state.delete(name);
      else state.set(name, text);
    }
  }
  return state;
}

/** What has changed from one state to another, as a layer's bytes: null for what was deleted. Undefined if nothing has. */
export function changesOf(before: FakeState, now: FakeState): Buffer | undefined {
  const names = new Set([...before.keys(), ...now.keys()]);
  const changed = [...names].filter((name) => before.get(name) !== now.get(name));
  if (changed.length === 0) return undefined;
  return Buffer.from(JSON.stringify(Object.fromEntries(changed.map((name) => [name, now.get(name) ?? null]))));
}
