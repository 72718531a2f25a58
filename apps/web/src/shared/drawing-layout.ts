import type { HardwareProfile } from "@terrarium/contract";

type Settings = HardwareProfile["display_settings"];
type Full = Settings["displays"][number];
export type DrawnGlass = Pick<Full, "width" | "height" | "density"> & Partial<Pick<Full, "physical_size">>;

/** The diagonal of a display in inches: as stated, or else as pixels and density make it. */
export const inchesOf = ({ width, height, density, physical_size: stated }: DrawnGlass): number =>
  stated ?? Math.hypot(width, height) / density;

/** What of a hardware profile can be seen from outside. */
export interface DrawnProfile extends Pick<HardwareProfile, "form_factor" | "display_mode"> {
  display_settings: { displays: readonly DrawnGlass[]; hw_navigation_keys: boolean };
}

/** One display with its frame, in CSS pixels. */
export interface DrawnDisplay {
  /** The picture alone. */
  width: number;
  height: number;
  border: number;
  /** The part of the frame below the picture that holds the navigation keys; 0 without keys. */
  chin: number;
  radius: number;
  isRound: boolean;
}

/** Frame and corner as parts of the short side, measured on what such devices look like. */
const looks = {
  PHONE: { border: 0.026, corner: 0.125 },
  TABLET: { border: 0.048, corner: 0.06 },
  CAR: { border: 0.05, corner: 0.06 },
  TV: { border: 0.02, corner: 0.026 },
  WATCH: { border: 0.06, corner: 0.24 },
} as const;
/** Phones of 16:9 have nearly square corners; round ones came with taller pictures. */
const FLAT_CORNER = 0.05;
const TALL_FROM = 1.9;
const CHIN = 0.16;
/** Between two displays, as a part of the width of all. */
const GAP = 0.06;

/** Where keys stand below the picture; on other devices they are on a remote control, a crown or a wheel. */
const hasKeysBelow = (profile: DrawnProfile): boolean =>
  profile.display_settings.hw_navigation_keys && ["PHONE", "TABLET"].includes(profile.form_factor);

/**
 * The displays of a profile as large as they fit side by side into `within` (CSS pixels), all to one scale: by their size in inches.
 */
export function drawingLayout(
  profile: DrawnProfile,
  within: { width: number; height: number },
): { displays: DrawnDisplay[]; gap: number } {
  const { displays } = profile.display_settings;
  const { border, corner } = looks[profile.form_factor];
  const inches = displays.map((display, index) => {
    const { width, height } = display;
    const perInch = Math.hypot(width, height) / inchesOf(display);
    const [wide, high] = [width / perInch, height / perInch];
    const short = Math.min(wide, high);
    const isFlat = profile.form_factor === "PHONE" && Math.max(wide, high) < TALL_FROM * short;
    const isRound = profile.form_factor === "WATCH" && width === height;
    return {
      width: wide,
      height: high,
      border: border * short,
      chin: index === 0 && hasKeysBelow(profile) ? CHIN * short : 0,
      radius: isRound ? short : (isFlat ? FLAT_CORNER : corner) * short,
      isRound,
    };
  });
  const displaysWidth = inches.reduce((sum, each) => sum + each.width + 2 * each.border, 0);
  const gap = displays.length > 1 ? GAP * displaysWidth : 0;
  const width = displaysWidth + gap * (displays.length - 1);
  const height = Math.max(...inches.map((each) => each.height + 2 * each.border + each.chin));
  const scale = Math.min(within.width / width, within.height / height);
  return {
    gap: gap * scale,
    displays: inches.map((each) => ({
      width: each.width * scale,
      height: each.height * scale,
      border: each.border * scale,
      chin: each.chin * scale,
      radius: each.radius * scale,
      isRound: each.isRound,
    })),
  };
}
