import { tone } from "../draw/color.ts";

/**
 * The three looks that a person distinguishes: coloured bars on paper (Android 5 to 8), plain white (9 to 11), tinted cards (from 12 on).
 */
type Era = "paper" | "plain" | "you";

interface Colors {
  /** Behind everything in an app. */
  background: string;
  /** Cards, keys and fields on it. */
  surface: string;
  surfaceHigh: string;
  text: string;
  textSoft: string;
  outline: string;
  accent: string;
  onAccent: string;
  accentSoft: string;
  onAccentSoft: string;
  /** The app bar at the top of an app, and what is written on it. */
  bar: string;
  onBar: string;
  /** The status bar over an app; see-through from Android 9 on. */
  status: string;
  shade: string;
  danger: string;
}

/** How one Android version looks, light or dark. */
export interface Look {
  era: Era;
  /** Android's major version, 5 to 16. */
  version: number;
  dark: boolean;
  /** Hue of the accent, degrees. */
  hue: number;
  colors: Colors;
  radius: { card: number; button: number; tile: number; key: number };
}

const HUES: Record<Era, number> = { paper: 195, plain: 250, you: 165 };

const radii: Record<Era, Look["radius"]> = {
  paper: { card: 2, button: 2, tile: 2, key: 3 },
  plain: { card: 8, button: 8, tile: 20, key: 6 },
  you: { card: 24, button: 28, tile: 24, key: 8 },
};

const eraOf = (version: number): Era => (version >= 12 ? "you" : version >= 9 ? "plain" : "paper");

/** A watch is always dark, and black where nothing is shown. */
export function createWatchLook(osVersion: string): Look {
  const look = createLook(osVersion, true);
  return { ...look, colors: { ...look.colors, background: "#000000", bar: "#000000" } };
}

export function createLook(osVersion: string, dark: boolean): Look {
  const version = Math.min(16, Math.max(5, Number.parseInt(osVersion, 10) || 16));
  const era = eraOf(version);
  const hue = HUES[era];
  return { era, version, dark, hue, colors: colorsOf(era, hue, dark), radius: radii[era] };
}

function colorsOf(era: Era, hue: number, dark: boolean): Colors {
  if (era === "you") return dark ? tintedDark(hue) : tintedLight(hue);
  return era === "paper" ? paper(hue, dark) : plain(hue, dark);
}

/** Bars in the colour of what is behind them. */
const flat = (colors: Omit<Colors, "bar" | "onBar" | "status">): Colors => ({
  ...colors,
  bar: colors.background,
  onBar: colors.text,
  status: colors.background,
});

const tintedLight = (hue: number) =>
  flat({
    background: tone(hue, 0.012, 0.965),
    surface: tone(hue, 0.018, 0.99),
    surfaceHigh: tone(hue, 0.025, 0.925),
    text: tone(hue, 0.012, 0.23),
    textSoft: tone(hue, 0.02, 0.44),
    outline: tone(hue, 0.02, 0.83),
    accent: tone(hue, 0.11, 0.47),
    onAccent: "#ffffff",
    accentSoft: tone(hue, 0.065, 0.89),
    onAccentSoft: tone(hue, 0.09, 0.28),
    shade: tone(hue, 0.018, 0.95),
    danger: "#b3261e",
  });

const tintedDark = (hue: number) =>
  flat({
    background: tone(hue, 0.012, 0.185),
    surface: tone(hue, 0.016, 0.245),
    surfaceHigh: tone(hue, 0.02, 0.3),
    text: tone(hue, 0.01, 0.93),
    textSoft: tone(hue, 0.02, 0.77),
    outline: tone(hue, 0.02, 0.38),
    accent: tone(hue, 0.1, 0.83),
    onAccent: tone(hue, 0.08, 0.27),
    accentSoft: tone(hue, 0.07, 0.4),
    onAccentSoft: tone(hue, 0.05, 0.93),
    shade: tone(hue, 0.014, 0.15),
    danger: "#f2b8b5",
  });

const paper = (hue: number, dark: boolean): Colors => ({
  background: dark ? "#303030" : "#eeeeee",
  surface: dark ? "#424242" : "#ffffff",
  surfaceHigh: dark ? "#4e4e4e" : "#e4e7e9",
  text: dark ? "#fafafa" : "#212121",
  textSoft: dark ? "#b9b9b9" : "#6d6d6d",
  outline: dark ? "#565656" : "#dcdcdc",
  accent: dark ? tone(hue, 0.11, 0.78) : tone(hue, 0.115, 0.56),
  onAccent: dark ? "#10191c" : "#ffffff",
  accentSoft: dark ? tone(hue, 0.05, 0.42) : tone(hue, 0.045, 0.91),
  onAccentSoft: dark ? "#ffffff" : tone(hue, 0.09, 0.35),
  bar: dark ? "#212121" : tone(hue, 0.085, 0.5),
  onBar: "#ffffff",
  status: dark ? "#151515" : tone(hue, 0.08, 0.4),
  shade: tone(hue, 0.02, 0.32),
  danger: dark ? "#ef9a9a" : "#c62828",
});

const plain = (hue: number, dark: boolean) =>
  flat({
    background: dark ? "#101214" : "#ffffff",
    surface: dark ? "#1e2124" : "#f4f6f8",
    surfaceHigh: dark ? "#2b2f33" : "#e8ebef",
    text: dark ? "#e8eaed" : "#1f2226",
    textSoft: dark ? "#9fa5ab" : "#5c636a",
    outline: dark ? "#383d42" : "#dde1e5",
    accent: dark ? tone(hue, 0.1, 0.78) : tone(hue, 0.16, 0.54),
    onAccent: dark ? "#12181f" : "#ffffff",
    accentSoft: dark ? tone(hue, 0.06, 0.36) : tone(hue, 0.045, 0.92),
    onAccentSoft: dark ? "#e9eef5" : tone(hue, 0.12, 0.38),
    shade: dark ? "#16191b" : "#ffffff",
    danger: dark ? "#f28b82" : "#c5221f",
  });
