import type { DisplaySpec, FormFactor } from "@terrarium/runtime";

/** The longest side that is drawn: no viewer's window shows more, and encoding and bandwidth would cost more. */
const MAX_LONG_SIDE = 1920;

/** Cars are read from an arm's length and their profiles state small densities. */
const CAR_ZOOM = 1.25;

/** The size a display is drawn in, in its natural orientation: multiples of 8, with the density scaled alike. */
export function fitDisplay(
  display: DisplaySpec,
  formFactor: FormFactor,
): { width: number; height: number; pixelsPerDp: number } {
  const scale = Math.min(1, MAX_LONG_SIDE / Math.max(display.width, display.height));
  const fit = (side: number) => Math.max(8, Math.round((side * scale) / 8) * 8);
  const [width, height] = [fit(display.width), fit(display.height)];
  // A density that leaves less than a small watch's width in dp must be wrong; the layout needs room.
  const pixelsPerDp = Math.min(
    ((display.density * scale) / 160) * (formFactor === "CAR" ? CAR_ZOOM : 1),
    Math.min(width, height) / 180,
  );
  return { width, height, pixelsPerDp };
}

/** Phones this much longer than wide came with a camera in the picture. */
const HOLE_FROM = 2.05;

/** Whether the front camera is a hole at the top of the display. */
export const hasHole = ({ width, height }: DisplaySpec, formFactor: FormFactor): boolean =>
  formFactor === "PHONE" && Math.max(width, height) > HOLE_FROM * Math.min(width, height);
