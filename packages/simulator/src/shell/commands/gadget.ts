import { type DeviceStateValues, mobileProfiles, type Place } from "../../device/device-state.ts";
import { answerCall, deviceIdOf, endCall, hasPhone, receiveCall, receiveMessage } from "../../device/phone.ts";
import type { SimulatedDevice } from "../../device/simulated-device.ts";
import { type Command, type Commands, UsageError } from "../invocation.ts";

type Fields = Readonly<Record<string, string | number | boolean>>;

/** Something outside of the device that acts on it, and that no command of Android's own sets. */
interface Outside {
  /** How it is. */
  read(device: SimulatedDevice): Fields;
  /** What each name may be set to. False when it is no value for it. */
  write: Readonly<Record<string, (device: SimulatedDevice, value: string) => boolean>>;
}

const PHONE_NUMBER = /^\+?[0-9*#]{1,32}$/;
const MAX_TEXT = 2048;
/** Slower than this, nothing would ever be read. */
const LEAST_READ_RATE = 64 * 1024;

const place = (name: Exclude<keyof Place, "on">, min: number, max: number) => ({
  [name]: ({ state }: SimulatedDevice, value: string) => {
    const number = Number(value);
    if (!/^-?\d+(\.\d+)?$/.test(value) || number < min || number > max) return false;
    state.set({ gps: { ...state.values.gps, [name]: number } });
    return true;
  },
});

const ofSim = (name: keyof DeviceStateValues["sim"], allowed: RegExp) => ({
  [name]: ({ state }: SimulatedDevice, value: string) => {
    if (!allowed.test(value)) return false;
    state.set({ sim: { ...state.values.sim, [name]: value } });
    return true;
  },
});

const isOn = (value: string) => (value === "true" || value === "false" ? value === "true" : undefined);

const outside: Readonly<Record<string, Outside>> = {
  gps: {
    read: ({ state }) => ({ ...state.values.gps }),
    write: {
      on: ({ state }, value) => {
        const on = isOn(value);
        if (on !== undefined) state.set({ gps: { ...state.values.gps, on } });
        return on !== undefined;
      },
      ...place("latitude", -90, 90),
      ...place("longitude", -180, 180),
      ...place("altitude", -10_000, 10_000),
      ...place("accuracy", 0, 200),
      ...place("bearing", 0, 360),
      ...place("speed", 0, 400),
    },
  },
  network: {
    read: ({ state: { values } }) => ({
      wifi: values.wifi,
      mobile: values.mobileData,
      profile: values.mobileProfile,
      signal: values.mobileSignal,
    }),
    write: {
      profile: ({ state }, value) => {
        const mobileProfile = mobileProfiles.find((one) => one === value);
        if (mobileProfile) state.set({ mobileProfile });
        return mobileProfile !== undefined;
      },
      signal: ({ state }, value) => {
        if (!/^[0-4]$/.test(value)) return false;
        state.set({ mobileSignal: Number(value) });
        return true;
      },
    },
  },
  sim: {
    read: ({ state }) => ({ ...state.values.sim }),
    write: {
      ...ofSim("networkOperator", /^\d{5,6}$/),
      ...ofSim("networkName", /^.{1,64}$/),
      ...ofSim("simOperator", /^\d{5,6}$/),
      ...ofSim("simName", /^.{1,64}$/),
      ...ofSim("subscriber", /^\d{9,10}$/),
      ...ofSim("number", PHONE_NUMBER),
    },
  },
  phone: {
    read: ({ state: { values } }) => ({ call: values.call?.from ?? "", messages: values.messages.length }),
    write: {
      call: (device, from) => {
        if (!PHONE_NUMBER.test(from)) return false;
        receiveCall(device, from);
        return true;
      },
      /** The number it is from, a space, and its text. */
      message: (device, value) => {
        const space = value.indexOf(" ");
        const [from, text] = [value.slice(0, space), value.slice(space + 1)];
        if (space < 0 || !PHONE_NUMBER.test(from) || text === "" || text.length > MAX_TEXT) return false;
        receiveMessage(device, { from, text });
        return true;
      },
      answer: (device) => (answerCall(device), true),
      end: (device) => (endCall(device, "missed"), true),
    },
  },
  device: {
    read: (device) => ({ id: hasPhone(device) ? deviceIdOf(device) : "" }),
    write: {
      id: ({ state }, value) => {
        if (!/^[0-9a-f]{14,15}$/i.test(value)) return false;
        state.set({ deviceId: value });
        return true;
      },
    },
  },
  disk: {
    read: ({ state }) => ({ readRate: state.values.diskReadRate }),
    write: {
      readRate: ({ state }, value) => {
        const diskReadRate = Number(value);
        if (!/^\d{1,12}$/.test(value) || (diskReadRate > 0 && diskReadRate < LEAST_READ_RATE)) return false;
        state.set({ diskReadRate });
        return true;
      },
      // Nothing is cached here; the kernel says that it was asked.
      dropCaches: (device) => (device.log("I", "kernel", "sh: drop_caches: 3"), true),
    },
  },
};

const ofPhones = new Set(["network", "sim", "phone", "device"]);

/** `gadget NAME [FIELD=VALUE]...`: sets what acts on a device from outside, and prints how it is then. */
const run: Command = async (call) => {
  const [name = "", ...changes] = call.args;
  const one = Object.hasOwn(outside, name) ? outside[name] : undefined;
  if (!one || (ofPhones.has(name) && !hasPhone(call.device)))
    throw new UsageError(`this device has no ${name === "" ? "gadget without a name" : name}`);
  for (const change of changes) {
    const equals = change.indexOf("=");
    const [field, value] = [change.slice(0, Math.max(equals, 0)), change.slice(equals + 1)];
    const set = Object.hasOwn(one.write, field) ? one.write[field] : undefined;
    if (!set?.(call.device, value)) throw new UsageError(`bad value: ${change}`);
  }
  for (const [field, value] of Object.entries(one.read(call.device))) await call.stdout.write(`${field}=${value}\n`);
  return 0;
};

export const gadget: Commands = { gadget: run };
