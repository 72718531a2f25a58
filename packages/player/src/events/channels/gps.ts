import { decimalWithin, words } from "../words.ts";

/** Minimum and maximum of each, in degrees, metres and metres per second. */
const ranges = {
  altitude: [-10_000, 10_000],
  longitude: [-180, 180],
  latitude: [-90, 90],
  accuracy: [0, 200],
  bearing: [0, 360],
  speed: [0, 399.99],
} as const;

export type GpsField = keyof typeof ranges;

export type GpsCommand = { type: "gps"; field: GpsField; value: number } | { type: "gpsSwitch"; on: boolean };

/** `set latitude 65.96`, `enable`, `disable`. */
export function parseGps(command: string): GpsCommand | undefined {
  if (command === "enable" || command === "disable") return { type: "gpsSwitch", on: command === "enable" };
  const [set, field, value, ...more] = words(command, 4).words;
  if (set !== "set" || !isGpsField(field) || more.length > 0) return undefined;
  const [min, max] = ranges[field];
  const number = decimalWithin(value, min, max);
  return number === undefined ? undefined : { type: "gps", field, value: number };
}

function isGpsField(word: string | undefined): word is GpsField {
  return word !== undefined && Object.hasOwn(ranges, word);
}
