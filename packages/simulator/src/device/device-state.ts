export const MAX_VOLUME = 15;

/** Where the device's GPS says it is: degrees, metres and metres a second. */
export interface Place {
  on: boolean;
  latitude: number;
  longitude: number;
  altitude: number;
  accuracy: number;
  bearing: number;
  speed: number;
}

/** The SIM, and the network that it is on. Operators are a country's and a network's code. */
export interface Sim {
  networkOperator: string;
  networkName: string;
  simOperator: string;
  simName: string;
  /** The subscriber's part of the IMSI. */
  subscriber: string;
  number: string;
}

/** A text message that was received. */
export interface Message {
  from: string;
  text: string;
  timeMs: number;
}

/** A call that came in, and how it ended. */
export interface CallRecord {
  from: string;
  timeMs: number;
  ended: "answered" | "missed" | "rejected";
}

/** The kinds of mobile network, as the player names them. */
export const mobileProfiles = ["5g", "lte", "hsdpa", "umts", "edge", "gprs", "gsm", "none"] as const;
export type MobileProfile = (typeof mobileProfiles)[number];

/** The values that change while a device runs. Its screen and its shell read and change them. */
export interface DeviceStateValues {
  battery: { level: number; status: "charging" | "discharging" | "full" };
  /** Quarter turns clockwise from the natural orientation: 0, 1, 2 or 3. */
  rotation: 0 | 1 | 2 | 3;
  autoRotate: boolean;
  screenOn: boolean;
  /** Whether the lock screen waits for a finger. Only devices that are carried show one. */
  locked: boolean;
  wifi: boolean;
  mobileData: boolean;
  /** 0 (none) to 4 (great). */
  mobileSignal: number;
  mobileProfile: MobileProfile;
  sim: Sim;
  /** IMEI or MEID; empty for the one that is made of the device's id. */
  deviceId: string;
  gps: Place;
  /** The call that comes in or is under way. */
  call: { from: string; timeMs: number; answered: boolean } | undefined;
  /** The oldest first. */
  calls: readonly CallRecord[];
  /** The oldest first. */
  messages: readonly Message[];
  /** Bytes a second that files are read with at most; 0 for no limit. */
  diskReadRate: number;
  airplaneMode: boolean;
  darkTheme: boolean;
  /** 0 to `MAX_VOLUME`, as Android's music stream. */
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
  locked: false,
  wifi: true,
  mobileData: true,
  mobileSignal: 4,
  mobileProfile: "lte",
  sim: {
    networkOperator: "00101",
    networkName: "Terrarium",
    simOperator: "00101",
    simName: "Terrarium",
    subscriber: "0123456789",
    number: "15555215554",
  },
  deviceId: "",
  gps: { on: true, latitude: 48.8566, longitude: 2.3522, altitude: 35, accuracy: 5, bearing: 0, speed: 0 },
  call: undefined,
  calls: [],
  messages: [],
  diskReadRate: 0,
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

  /** A screen that goes off is locked, if nothing else is said. */
  set(values: Partial<DeviceStateValues>): void {
    const changed = values.screenOn === false ? { locked: true, ...values } : values;
    this.#values = { ...this.#values, ...changed };
    for (const listener of this.#listeners) listener(changed);
  }

  /** Calls `listener` after each change, until the returned function is called. */
  watch(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
