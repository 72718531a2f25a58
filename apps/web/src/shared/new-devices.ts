import { type InstanceChange, type InstanceState, runningStates } from "@terrarium/contract";
import { Listeners } from "../components/listeners.ts";

/** A device from an event that no list shows yet. */
interface NewDevice {
  uuid: string;
  owner_uuid: string;
  state: InstanceState;
}

let devices: readonly NewDevice[] = [];
const listeners = new Listeners();

function change(next: readonly NewDevice[]): void {
  if (next.length === 0 && devices.length === 0) return;
  devices = next;
  listeners.notify();
}

/** Devices wait here for the next refresh, so that no row moves under the pointer. */
export const newDevices = {
  read: (): readonly NewDevice[] => devices,
  subscribe: listeners.subscribe,
  /**
   * Counts a device that no list shows, from its first event until it is over. It may stand on another page: lists begin with what changed
   * last, so that a refresh brings it up all the same.
   */
  hear({ uuid, owner_uuid, state }: InstanceChange): void {
    const others = devices.filter((device) => device.uuid !== uuid);
    change(runningStates.includes(state) ? [...others, { uuid, owner_uuid, state }] : others);
  },
  forget: (uuid: string): void => change(devices.filter((device) => device.uuid !== uuid)),
  clear: (): void => change([]),
};
