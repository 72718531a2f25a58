import type { FormFactor } from "@terrarium/contract";
import type { PictureSize } from "@terrarium/sdk/display";

/** The device as drawn, in CSS pixels. */
export interface FrameLayout {
  width: number;
  height: number;
  /** From the picture's edge to the frame's. */
  border: number;
  outerRadius: number;
  innerRadius: number;
}

/** Of the picture's short side, so that a device has the same frame when it turns. */
const PHONE_BORDER = 0.026;
const PHONE_CORNER = 0.125;
/**
 * Phones of 16:9, and foldables that are unfolded, have screens with nearly square corners: older Android writes the time
 * right into them. Screens with round ones came with taller pictures.
 */
const FLAT_CORNER = 0.05;
const TALL_FROM = 1.9;
const OTHER_BORDER = 12;
const OTHER_CORNER = 18;

/**
 * The largest picture with its frame in `space`. A picture that fits at its own size is shown at a whole multiple of it;
 * a larger one is brought down to the next whole device pixel.
 */
export function frameLayout(
  space: { width: number; height: number },
  picture: PictureSize,
  formFactor: FormFactor,
  pixelRatio: number,
): FrameLayout {
  const short = Math.min(picture.width, picture.height);
  const isPhone = formFactor === "PHONE";
  // The phone's border grows with its picture: n pixels of it cost n + 2 * border * n of the space.
  const scale = isPhone
    ? Math.min(
        space.width / (picture.width + 2 * PHONE_BORDER * short),
        space.height / (picture.height + 2 * PHONE_BORDER * short),
      )
    : Math.min((space.width - 2 * OTHER_BORDER) / picture.width, (space.height - 2 * OTHER_BORDER) / picture.height);
  const device = Math.max(0, scale) * pixelRatio;
  const whole = device >= 1 ? Math.floor(device) : device;
  const width = Math.floor(picture.width * whole) / pixelRatio;
  const height = Math.floor(picture.height * whole) / pixelRatio;
  const shown = Math.min(width, height);
  if (isPhone) {
    const border = Math.round(shown * PHONE_BORDER * pixelRatio) / pixelRatio;
    const isTall = Math.max(picture.width, picture.height) >= TALL_FROM * short;
    const outerRadius = (shown + 2 * border) * (isTall ? PHONE_CORNER : FLAT_CORNER);
    return { width, height, border, outerRadius, innerRadius: Math.max(0, outerRadius - border) };
  }
  const isRound = formFactor === "WATCH" && picture.width === picture.height;
  const outerRadius = isRound ? shown / 2 + OTHER_BORDER : OTHER_CORNER;
  return { width, height, border: OTHER_BORDER, outerRadius, innerRadius: outerRadius - OTHER_BORDER };
}
