import { createHash } from "node:crypto";
import type { CallRecord, Message } from "./device-state.ts";
import type { SimulatedDevice } from "./simulated-device.ts";

/** The most messages that a device stores: the latest. */
const MAX_MESSAGES = 500;
const MAX_CALLS = 100;

type Device = Pick<SimulatedDevice, "state" | "clock" | "log" | "spec">;

/** Whether it has a SIM and a modem. */
export const hasPhone = ({ spec }: Pick<SimulatedDevice, "spec">): boolean =>
  spec.hardware.formFactor === "PHONE" || spec.hardware.formFactor === "FOLDABLE";

export function receiveMessage(device: Device, message: Omit<Message, "timeMs">): void {
  const { state, clock } = device;
  state.set({ messages: [...state.values.messages, { ...message, timeMs: clock.now() }].slice(-MAX_MESSAGES) });
  device.log("I", "GsmInboundSmsHandler", `SMS_RECEIVED from ${message.from}`);
}

/** Somebody calls. A call that still rings is then a missed one. */
export function receiveCall(device: Device, from: string): void {
  endCall(device, "missed");
  device.state.set({ call: { from, timeMs: device.clock.now(), answered: false } });
  device.log("I", "Telecom", `Incoming call from ${from}`);
}

export function answerCall({ state }: Pick<Device, "state">): void {
  const { call } = state.values;
  if (call) state.set({ call: { ...call, answered: true } });
}

/** Ends the call, if there is one; `unanswered` is what it was if nobody answered it. */
export function endCall({ state }: Pick<Device, "state">, unanswered: "missed" | "rejected"): void {
  const { call, calls } = state.values;
  if (!call) return;
  const record: CallRecord = {
    from: call.from,
    timeMs: call.timeMs,
    ended: call.answered ? "answered" : unanswered,
  };
  state.set({ call: undefined, calls: [...calls, record].slice(-MAX_CALLS) });
}

/** The device's IMEI: the one that was given to it, or one that its id makes. */
export function deviceIdOf({ state, spec }: Pick<Device, "state" | "spec">): string {
  if (state.values.deviceId !== "") return state.values.deviceId;
  const serial = parseInt(createHash("sha256").update(`imei ${spec.id}`).digest("hex").slice(0, 8), 16) % 1_000_000;
  const digits = `35824005${String(serial).padStart(6, "0")}`;
  // The last digit is Luhn's.
  const sum = Array.from(digits).reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
