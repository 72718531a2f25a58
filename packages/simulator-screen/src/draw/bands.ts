import { createCanvas, type Canvas, type SKRSContext2D } from "@napi-rs/canvas";
import { type Box, intersection, overlap, union } from "./box.ts";
import { emptyCanvas } from "./empty-canvas.ts";
import { type Clip, identity, type Mark, type Matrix, matters, type Path, type Style } from "./mark.ts";

/**
 * A picture is drawn in bands of so many rows, always the same: skia's curves differ a little by where they are cut off. And what is read of
 * a canvas costs by the canvas's size.
 */
const BAND_ROWS = 256;
/** How wide the soft edge of a surface may be, with the pixel around its box. */
const EDGE = 3;

/** Paints marks into the pixels of a picture, on a canvas of the height of a band. */
export class Bands {
  #band: Canvas | undefined;

  /** Paints what is in these boxes of a picture of the size of `whole`. A band is read once: that costs as much for a part of it. */
  paint(marks: readonly Mark[], pixels: Uint8Array, boxes: readonly Box[], whole: Box): void {
    for (let top = 0; top < whole.bottom; top += BAND_ROWS) {
      const band = { ...whole, top, bottom: Math.min(whole.bottom, top + BAND_ROWS) };
      const due = boxes.filter((box) => overlap(box, band)).map((box) => intersection(box, band));
      if (due.length > 0) this.#paintBand(marks, pixels, top, due.reduce(union), whole);
    }
  }

  /** Draws `box` of the band that begins at `top`. */
  #paintBand(marks: readonly Mark[], pixels: Uint8Array, top: number, box: Box, whole: Box): void {
    const { right: width } = whole;
    if (this.#band?.width !== width) this.drop();
    const g = (this.#band ??= createCanvas(width, BAND_ROWS)).getContext("2d");
    const [x, y, across, down] = [box.left, box.top - top, box.right - box.left, box.bottom - box.top];
    g.save();
    g.clearRect(x, y, across, down);
    g.save();
    let clip: Clip | undefined;
    let current: Partial<Record<keyof Style, unknown>> = {};
    for (const mark of marks) {
      if (!overlap(mark.box, box)) continue;
      if (mark.clip !== clip) {
        g.restore();
        g.save();
        current = {};
        applyClip(g, top, (clip = mark.clip));
      }
      const names = matters[mark.call];
      for (let index = 0; index < names.length; index++) {
        const name = names[index]!;
        const value = mark.values[index];
        if (current[name] !== value) (g as Record<keyof Style, unknown>)[name] = current[name] = value;
      }
      // Plain surfaces cost by their size, and are the same where they are cut off. Edges and curves would not be: they go beyond the box.
      const isPlain = mark.call === "fillRect" || mark.call === "drawImage";
      const isCut = isPlain && covers(mark.box, box, whole);
      if (isCut) {
        g.save();
        trace(g, identity, [["rect", [x, y, across, down]]], 0);
        g.clip();
      }
      trace(g, mark.matrix, mark.path, top);
      (g[mark.call] as (...args: readonly unknown[]) => void)(...mark.args);
      if (isCut) g.restore();
    }
    g.restore();
    g.restore();
    const { data } = g.getImageData(x, y, across, down);
    for (let row = 0; row < down; row++)
      pixels.set(data.subarray(row * across * 4, (row + 1) * across * 4), ((box.top + row) * width + x) * 4);
    // Otherwise it is freed at some collection.
    (data.buffer as ArrayBuffer).transfer(0);
  }

  /** Frees its memory. */
  drop(): void {
    if (this.#band) emptyCanvas(this.#band);
    this.#band = undefined;
  }
}

/** Whether the edges of a mark lie outside of a box, or of the picture. */
const covers = (mark: Box, box: Box, whole: Box): boolean =>
  (box.left === 0 || mark.left + EDGE <= box.left) &&
  (box.top === 0 || mark.top + EDGE <= box.top) &&
  (box.right === whole.right || mark.right - EDGE >= box.right) &&
  (box.bottom === whole.bottom || mark.bottom - EDGE >= box.bottom);

function applyClip(g: SKRSContext2D, top: number, clip: Clip | undefined): void {
  if (!clip) return;
  applyClip(g, top, clip.outer);
  trace(g, clip.matrix, clip.path, top);
  g.clip();
}

/** Sets transform and path on a canvas that begins at row `top`. */
function trace(g: SKRSContext2D, [a, b, c, d, e, f]: Matrix, path: Path, top: number): void {
  g.setTransform(a, b, c, d, e, f - top);
  if (path.length > 0) g.beginPath();
  for (const [name, args] of path)
    (g as unknown as Record<string, (...args: readonly unknown[]) => void>)[name]!(...args);
}
