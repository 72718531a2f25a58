import { type InstanceChange, instancePhases, type InstanceState, runningStates } from "@terrarium/contract";

/** A device that was heard of and that no list shows yet. */
interface NewDevice {
  uuid: string;
  owner_uuid: string;
}

const starting: readonly InstanceState[] = instancePhases.starting;
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
  /**
   * Counts an unknown device from its start on while it runs. One that was never heard to start is not new: it stands on
   * another page, or was filtered away.
   */
  hear({ uuid, owner_uuid, state }: InstanceChange): void {
    const others = devices.filter((device) => device.uuid !== uuid);
    const isWaiting = others.length < devices.length;
    const isNew = starting.includes(state) || (isWaiting && running.includes(state));
    change(isNew ? [...others, { uuid, owner_uuid }] : others);
  },
  forget: (uuid: string): void => change(devices.filter((device) => device.uuid !== uuid)),
  clear: (): void => change([]),
};
