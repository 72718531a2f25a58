import type { Canvas } from "@napi-rs/canvas";

/** Frees a canvas's pixels at once. The garbage collector sees only the small wrapper and might leave it for hours. */
export function emptyCanvas(canvas: Canvas): void {
  canvas.width = 1;
  canvas.height = 1;
}
