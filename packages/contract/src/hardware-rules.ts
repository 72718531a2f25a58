import { type FieldRule, maxLength, type RuleMessage } from "./field-rules.ts";

/** What forms offer and the service accepts; sizes in MB. */
export const cpuCounts = [1, 2, 4, 8] as const;
export const ramSizes = [1024, 2048, 3072, 4096, 6144, 8192] as const;

/** Bounds that forms and the service share. */
export const hardwareLimits = {
  /** Pixels of one side of a display. */
  side: { min: 1, max: 8192 },
  /** Dots per inch. Android knows 120 to 640; car displays and tests go beyond. */
  density: { min: 72, max: 960 },
  /** A display's diagonal in inches. */
  physicalSize: { min: 0.5, max: 120 },
  /** MB. Below, Android's own data would not fit. */
  disk: { min: 1024, max: 262_144 },
} as const;

/** Sizes of the data disk that forms offer, in MB; the service accepts any within the limits. */
export const diskSizes = [4096, 8192, 16_384, 32_768, 65_536, 131_072] as const;

/** Android's names of densities (android.util.DisplayMetrics); those without a name of their own lie between them. */
export const densityNames = [
  [120, "ldpi"],
  [160, "mdpi"],
  [213, "tvdpi"],
  [240, "hdpi"],
  [320, "xhdpi"],
  [480, "xxhdpi"],
  [640, "xxxhdpi"],
] as const;

/** The name of the density that is nearest to `dpi`. */
export const densityNameOf = (dpi: number): string =>
  densityNames.reduce((best, each) => (Math.abs(each[0] - dpi) < Math.abs(best[0] - dpi) ? each : best))[1];

export const displayModes = ["REGULAR", "FOLDABLE", "MULTI_DISPLAY"] as const;
export type DisplayMode = (typeof displayModes)[number];

/** How many displays each mode has. Android's emulator has four at most, too. */
export const displayCounts = {
  REGULAR: { min: 1, max: 1 },
  FOLDABLE: { min: 2, max: 2 },
  MULTI_DISPLAY: { min: 2, max: 4 },
} as const satisfies Record<DisplayMode, { min: number; max: number }>;

const wrongCount = { REGULAR: "oneDisplay", FOLDABLE: "twoDisplays", MULTI_DISPLAY: "manyDisplays" } as const;

/** What is wrong with the number of displays in a mode, if anything. */
export function displayCountRule(mode: DisplayMode, count: number): RuleMessage | undefined {
  const { min, max } = displayCounts[mode];
  if (mode === "MULTI_DISPLAY" && count > max) return { says: "mostDisplays", max };
  return count < min || count > max ? { says: wrongCount[mode] } : undefined;
}

/** Android's PROP_VALUE_MAX, without the terminator. */
const PROPERTY_LENGTH = 91;

const matching =
  (pattern: RegExp, says: RuleMessage["says"]): FieldRule =>
  (value) =>
    value === "" || pattern.test(value) ? undefined : { says };

const text = [maxLength(PROPERTY_LENGTH), matching(/^[\x20-\x7e]+$/, "ascii")];
/** What goes into the build's fingerprint, and so into names of files. */
const word = [maxLength(PROPERTY_LENGTH), matching(/^[\w.-]+$/, "word")];

/** The system properties that a profile may override, with the rules for each; an empty value overrides nothing. */
export const devicePropertyRules = {
  product_board: word,
  product_brand: word,
  product_manufacturer: text,
  product_model: text,
  product_device: word,
  serialno: word,
  build_type: [matching(/^(?:user|userdebug|eng)$/, "buildType")],
  build_tags: [maxLength(PROPERTY_LENGTH), matching(/^[\w.-]+(?:,[\w.-]+)*$/, "tags")],
  build_display_id: text,
  vm_heap_size: [matching(/^[1-9]\d{1,3}m?$/, "heapSize")],
} as const satisfies Record<string, readonly FieldRule[]>;

export type DeviceProperty = keyof typeof devicePropertyRules;
export const devicePropertyNames = Object.keys(devicePropertyRules) as DeviceProperty[];
