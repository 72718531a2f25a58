import { decimalWithin, oneOf, words } from "../words.ts";

export const mobileProfiles = ["5g", "lte", "hsdpa", "umts", "edge", "gprs", "gsm", "none"] as const;
export const signalStrengths = ["great", "good", "moderate", "poor", "none"] as const;

export type MobileProfile = (typeof mobileProfiles)[number];
export type SignalStrength = (typeof signalStrengths)[number];

/** Rates in kbit/s, delays in ms, loss in percent. */
const wifiLimits = [
  "up_rate",
  "down_rate",
  "up_delay",
  "down_delay",
  "up_pkt_loss",
  "down_pkt_loss",
  "dns_delay",
] as const;
export type WifiLimit = (typeof wifiLimits)[number];

export type NetworkCommand =
  | { type: "mobileProfile"; profile: MobileProfile }
  | { type: "mobileSignal"; strength: SignalStrength }
  | { type: "wifiThrottling"; on: boolean }
  | { type: "wifiLimit"; limit: WifiLimit; value: number };

/** `setprofile mobile lte`, `setsignalstrength mobile great`, `enable wifi all`, `set wifi up_rate 40000`. */
export function parseNetwork(command: string): NetworkCommand | undefined {
  if (command === "enable wifi all" || command === "disable wifi all")
    return { type: "wifiThrottling", on: command === "enable wifi all" };
  const [verb, network, name, value, ...more] = words(command, 5).words;
  if (verb === "setprofile" && network === "mobile" && value === undefined) {
    const profile = oneOf(mobileProfiles, name);
    return profile && { type: "mobileProfile", profile };
  }
  if (verb === "setsignalstrength" && network === "mobile" && value === undefined) {
    const strength = oneOf(signalStrengths, name);
    return strength && { type: "mobileSignal", strength };
  }
  const limit = verb === "set" && network === "wifi" && more.length === 0 ? oneOf(wifiLimits, name) : undefined;
  const number = decimalWithin(value, 0, 1e9);
  return limit && number !== undefined ? { type: "wifiLimit", limit, value: number } : undefined;
}
