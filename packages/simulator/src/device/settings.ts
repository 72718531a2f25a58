import { createHash } from "node:crypto";
import type { DeviceState, DeviceStateValues } from "./device-state.ts";

export const namespaces = ["system", "secure", "global"] as const;
export type Namespace = (typeof namespaces)[number];

const MAX_VALUE = 4096;
const MAX_SETTINGS = 2000;

interface Reflected {
  get(values: Readonly<DeviceStateValues>): string;
  set(value: string): Partial<DeviceStateValues> | undefined;
}

const flag = (name: "autoRotate" | "wifi" | "mobileData" | "airplaneMode"): Reflected => ({
  get: (values) => (values[name] ? "1" : "0"),
  set: (value) => (value === "0" || value === "1" ? { [name]: value === "1" } : undefined),
});

/** Settings that are part of the device's state, which the screen shows as well. */
const reflected: Record<string, Reflected> = {
  "system accelerometer_rotation": flag("autoRotate"),
  "system user_rotation": {
    get: (values) => String(values.rotation),
    set: (value) =>
      /^[0-3]$/.test(value) ? { rotation: Number(value) as 0 | 1 | 2 | 3, autoRotate: false } : undefined,
  },
  "system font_scale": {
    get: (values) => String(values.fontScale),
    set: (value) => (Number(value) >= 0.5 && Number(value) <= 3 ? { fontScale: Number(value) } : undefined),
  },
  "system volume_music": {
    get: (values) => String(values.volume),
    set: (value) => (/^(\d|1[0-5])$/.test(value) ? { volume: Number(value) } : undefined),
  },
  "global wifi_on": flag("wifi"),
  "global mobile_data": flag("mobileData"),
  "global airplane_mode_on": flag("airplaneMode"),
  "secure ui_night_mode": {
    get: (values) => (values.darkTheme ? "2" : "1"),
    set: (value) => (value === "1" || value === "2" ? { darkTheme: value === "2" } : undefined),
  },
};

/** The values of `settings`: stored ones, and those that are part of the device's state. */
export class Settings {
  readonly #state: DeviceState;
  readonly #values: Map<string, string>;
  readonly #initial: ReadonlyMap<string, string>;

  constructor(state: DeviceState, id: string, name: string) {
    this.#state = state;
    this.#values = new Map([
      ["global adb_enabled", "1"],
      ["global device_name", name],
      ["global device_provisioned", "1"],
      ["global window_animation_scale", "1.0"],
      ["global transition_animation_scale", "1.0"],
      ["global animator_duration_scale", "1.0"],
      ["secure android_id", createHash("sha256").update(`android_id ${id}`).digest("hex").slice(0, 16)],
      ["secure default_input_method", "com.terrarium.keyboard/.Keyboard"],
      ["secure user_setup_complete", "1"],
      ["system screen_brightness", "128"],
      ["system screen_off_timeout", "2147483647"],
    ]);
    this.#initial = new Map(this.#values);
  }

  get(namespace: Namespace, name: string): string | undefined {
    const key = `${namespace} ${name}`;
    return reflected[key]?.get(this.#state.values) ?? this.#values.get(key);
  }

  /** Returns false if the setting does not take this value, or there are too many. */
  put(namespace: Namespace, name: string, value: string): boolean {
    const key = `${namespace} ${name}`;
    const own = reflected[key];
    if (own) {
      const change = own.set(value);
      if (change) this.#state.set(change);
      return change !== undefined;
    }
    if (value.length > MAX_VALUE || name.length > 256 || (!this.#values.has(key) && this.#values.size >= MAX_SETTINGS))
      return false;
    this.#values.set(key, value);
    return true;
  }

  /** Returns whether there was one. Settings that are part of the device's state cannot be deleted. */
  delete(namespace: Namespace, name: string): boolean {
    return this.#values.delete(`${namespace} ${name}`);
  }

  /** What differs from a new device's, besides the device's state; null for what was deleted. */
  changes(): Record<string, string | null> {
    const keys = new Set([...this.#initial.keys(), ...this.#values.keys()]);
    const changed = [...keys].filter((key) => this.#initial.get(key) !== this.#values.get(key));
    return Object.fromEntries(changed.map((key) => [key, this.#values.get(key) ?? null]));
  }

  restore(changes: Readonly<Record<string, string | null>>): void {
    for (const [key, value] of Object.entries(changes)) {
      if (value === null) this.#values.delete(key);
      else this.#values.set(key, value);
    }
  }

  list(namespace: Namespace): [string, string][] {
    const keys = new Set([...this.#values.keys(), ...Object.keys(reflected)]);
    return [...keys]
      .filter((key) => key.startsWith(`${namespace} `))
      .map((key): [string, string] => [
        key.slice(namespace.length + 1),
        this.get(namespace, key.slice(namespace.length + 1))!,
      ])
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  }
}
