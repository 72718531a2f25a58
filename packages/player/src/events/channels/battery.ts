import { oneOf, wholeWithin, words } from "../words.ts";

export type BatteryCommand =
  | { type: "batteryLevel"; percent: number }
  | { type: "batteryStatus"; status: "charging" | "discharging" };

/** `set state level 42`, `set state status charging`. */
export function parseBattery(command: string): BatteryCommand | undefined {
  const [set, state, field, value, ...more] = words(command, 5).words;
  if (set !== "set" || state !== "state" || more.length > 0) return undefined;
  if (field === "level") {
    const percent = wholeWithin(value, 0, 100);
    return percent === undefined ? undefined : { type: "batteryLevel", percent };
  }
  const status = field === "status" ? oneOf(["charging", "discharging"], value) : undefined;
  return status && { type: "batteryStatus", status };
}
