import { createCanvas, type CanvasGradient } from "@napi-rs/canvas";
import type { Box } from "./box.ts";

/** a, b, c, d, e and f as `setTransform` takes them. */
export type Matrix = readonly [number, number, number, number, number, number];

/** What a canvas draws with at first. */
export const style = {
  fillStyle: "#000000" as string | CanvasGradient,
  strokeStyle: "#000000",
  lineWidth: 1,
  lineCap: "butt" as CanvasLineCap,
  lineJoin: "miter" as CanvasLineJoin,
  font: "10px sans-serif",
  letterSpacing: "0px",
  globalAlpha: 1,
  shadowColor: "rgba(0,0,0,0)",
  shadowBlur: 0,
  shadowOffsetY: 0,
};
export type Style = typeof style;

const common = ["globalAlpha", "shadowColor", "shadowBlur", "shadowOffsetY"] as const;
/** The parts of the style that matter to what is drawn. */
export const matters = {
  fill: ["fillStyle", ...common],
  fillRect: ["fillStyle", ...common],
  fillText: ["fillStyle", "font", "letterSpacing", ...common],
  stroke: ["strokeStyle", "lineWidth", "lineCap", "lineJoin", ...common],
  drawImage: common,
} as const satisfies Record<string, readonly (keyof Style)[]>;
export type Call = keyof typeof matters;

/** Methods of a canvas that add to its path, and their arguments. */
export type Path = [name: string, args: readonly unknown[]][];

/** What is drawn inside a path, which is inside another. */
export interface Clip {
  outer: Clip | undefined;
  matrix: Matrix;
  path: Path;
  box: Box;
}

/** Something drawn: equal ones give equal pixels. */
export interface Mark {
  call: Call;
  args: readonly unknown[];
  path: Path;
  matrix: Matrix;
  clip: Clip | undefined;
  values: readonly unknown[];
  /** Outside of it, it changes nothing. */
  box: Box;
}

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** What a text takes up in dp: how far the next begins, and how far its letters reach above and below their line, and to the right. */
export interface Ink {
  width: number;
  up: number;
  down: number;
  right: number;
}

const gradients = new Map<string, CanvasGradient>();
const MAX_GRADIENTS = 200;
/** Measures text and makes gradients, which belong to no canvas. */
export const ruler = createCanvas(1, 1).getContext("2d");

/** A fade between two colours, along a line or out of a point; the same for the same arguments. */
export function gradient(
  kind: "Linear" | "Radial",
  place: readonly number[],
  from: string,
  to: string,
): CanvasGradient {
  const key = `${kind} ${place.join(" ")} ${from} ${to}`;
  let known = gradients.get(key);
  if (known) return known;
  known =
    kind === "Linear"
      ? ruler.createLinearGradient(...(place as [number, number, number, number]))
      : ruler.createRadialGradient(...(place as [number, number, number, number, number, number]));
  known.addColorStop(0, from);
  known.addColorStop(1, to);
  if (gradients.size >= MAX_GRADIENTS) gradients.clear();
  gradients.set(key, known);
  return known;
}
