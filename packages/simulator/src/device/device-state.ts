/** The values that change while a device runs. Its screen and its shell read and change them. */
export interface DeviceStateValues {
  battery: { level: number; status: "charging" | "discharging" | "full" };
  /** Quarter turns clockwise from the natural orientation: 0, 1, 2 or 3. */
  rotation: 0 | 1 | 2 | 3;
  autoRotate: boolean;
  screenOn: boolean;
  wifi: boolean;
  mobileData: boolean;
  /** 0 (none) to 4 (great). */
  mobileSignal: number;
  airplaneMode: boolean;
  darkTheme: boolean;
  /** 0 to 15, as Android's music stream. */
  volume: number;
  fontScale: number;
  /** IANA name. */
  timeZone: string;
  locale: string;
  clipboard: string;
}

export const initialState: DeviceStateValues = {
  battery: { level: 86, status: "discharging" },
  rotation: 0,
  autoRotate: true,
  screenOn: true,
  wifi: true,
  mobileData: true,
  mobileSignal: 4,
  airplaneMode: false,
  darkTheme: false,
  volume: 8,
  fontScale: 1,
  timeZone: "UTC",
  locale: "en-US",
  clipboard: "",
};

type Listener = (changed: Partial<DeviceStateValues>) => void;

/** The values, and who is notified of changes. */
export class DeviceState {
  #values: DeviceStateValues;
  #listeners = new Set<Listener>();

  constructor(values: Partial<DeviceStateValues> = {}) {
    this.#values = { ...initialState, ...values };
  }

  get values(): Readonly<DeviceStateValues> {
    return this.#values;
  }

  set(changed: Partial<DeviceStateValues>): void {
    this.#values = { ...this.#values, ...changed };
    for (const listener of this.#listeners) listener(changed);
  }

  /** Calls `listener` after each change, until the returned function is called. */
  watch(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
