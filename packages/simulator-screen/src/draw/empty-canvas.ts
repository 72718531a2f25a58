import type { Canvas } from "@napi-rs/canvas";

/** Gives a canvas's pixels back now: the collector sees only the small object in front of them and may leave it for hours. */
export function emptyCanvas(canvas: Canvas): void {
  canvas.width = 1;
  canvas.height = 1;
}
