import { setImmediate } from "node:timers/promises";
import { restoreState } from "../device/persistent-state.ts";
import type { SimulatedDevice } from "../device/simulated-device.ts";
import { restoreEntry } from "../files/saved-tree.ts";
import type { StateLayer } from "./state-layer.ts";

const ENTRIES_PER_TURN = 500;

/**
 * Puts a new device, which has not booted, into a saved state. The bytes of its files stay in their layers until they are read.
 * @param states the lowest first
 * @param layerFolder holds all their layers, for as long as the device runs
 */
export async function restoreDevice(
  device: SimulatedDevice,
  states: readonly StateLayer[],
  layerFolder: string,
): Promise<void> {
  let count = 0;
  for (const { entries } of states)
    for (const entry of entries) {
      restoreEntry(device.volume, entry, layerFolder);
      if (++count % ENTRIES_PER_TURN === 0) await setImmediate();
    }
  const top = states.at(-1);
  if (top) restoreState(device, top.kept);
  device.volume.seal();
}
