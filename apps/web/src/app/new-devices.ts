import { type InstanceChange, type InstanceState, runningStates } from "@terrarium/contract";

/** A device that was heard of and that no list shows yet. */
export interface NewDevice {
  uuid: string;
  owner_uuid: string;
}

const running: readonly InstanceState[] = runningStates;
let devices: readonly NewDevice[] = [];
const listeners = new Set<() => void>();

function change(next: readonly NewDevice[]): void {
  if (next.length === devices.length) return;
  devices = next;
  for (const listener of listeners) listener();
}

/** Devices wait here for the next refresh, so that no row moves under the pointer. */
export const newDevices = {
  read: (): readonly NewDevice[] => devices,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Counts an unknown device while it runs, and forgets it when it ends. */
  hear({ uuid, owner_uuid, state }: InstanceChange): void {
    const others = devices.filter((device) => device.uuid !== uuid);
    change(running.includes(state) ? [...others, { uuid, owner_uuid }] : others);
  },
  forget: (uuid: string): void => change(devices.filter((device) => device.uuid !== uuid)),
  clear: (): void => change([]),
};
