import type { DeviceStateValues } from "./device-state.ts";
import type { PersistentPackages } from "./packages.ts";
import type { SimulatedDevice } from "./simulated-device.ts";

/** What survives a reboot of Android, besides the files. */
export interface PersistentState {
  values: Partial<DeviceStateValues>;
  settings: Record<string, string | null>;
  properties: [string, string][];
  packages: PersistentPackages;
}

/** Without battery, network and GPS, which come from outside, the clipboard, a call, and whether the screen is on. */
const PERSISTENT = [
  "autoRotate",
  "wifi",
  "mobileData",
  "airplaneMode",
  "darkTheme",
  "volume",
  "fontScale",
  "timeZone",
  "locale",
  "sim",
  "deviceId",
  "calls",
  "messages",
] as const satisfies (keyof DeviceStateValues)[];

type Parts = Pick<SimulatedDevice, "state" | "settings" | "properties" | "packages">;

export function saveState({ state: { values }, settings, properties, packages }: Parts): PersistentState {
  return {
    values: {
      ...Object.fromEntries(PERSISTENT.map((name) => [name, values[name]])),
      // Otherwise it is how the device is held.
      ...(values.autoRotate ? {} : { rotation: values.rotation }),
    },
    settings: settings.changes(),
    properties: properties.persistentChanges(),
    packages: packages.save(),
  };
}

/** Sets a new device to a saved state. */
export function restoreState(device: Parts, saved: PersistentState): void {
  device.state.set(saved.values);
  device.settings.restore(saved.settings);
  for (const [name, value] of saved.properties) device.properties.set(name, value);
  device.packages.restore(saved.packages);
}

/** Files of the package manager that do not outlive a reboot: APKs that are being received. */
export const isTransient = (path: string): boolean => /^\/data\/app\/vmdl\d+\.tmp\.apk$/.test(path);
