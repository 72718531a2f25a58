import type { Canvas } from "@napi-rs/canvas";
import { emptyCanvas } from "../draw/empty-canvas.ts";
import type { Look } from "./look.ts";
import { createWallpaper } from "./wallpaper.ts";

/** Those that nobody shows: the next device of the same look begins without painting one. Some 10 MB each. */
const MAX_SPARE = 2;

interface Paper {
  canvas: Canvas;
  users: number;
}

/** A background as long as it is shown; it is only read. */
export interface SharedWallpaper {
  readonly canvas: Canvas;
  /** To be called once; the canvas must not be used after it. */
  release(): void;
}

/** By look and size, the longest unused first. Devices of the same look and size share one. */
const papers = new Map<string, Paper>();

/** The background of a home screen, `width` and `height` in pixels. */
export function takeWallpaper(look: Look, width: number, height: number): SharedWallpaper {
  const key = `${look.version} ${look.hue} ${look.dark} ${width}x${height}`;
  const paper = papers.get(key) ?? { canvas: createWallpaper(look, width, height), users: 0 };
  paper.users++;
  papers.set(key, paper);
  return {
    canvas: paper.canvas,
    release() {
      paper.users--;
      if (paper.users > 0) return;
      // Behind the others: it is the newest of those that nobody shows.
      papers.delete(key);
      papers.set(key, paper);
      dropSpare();
    },
  };
}

function dropSpare(): void {
  const spare = [...papers].filter(([, { users }]) => users === 0);
  for (const [key, { canvas }] of spare.slice(0, Math.max(0, spare.length - MAX_SPARE))) {
    papers.delete(key);
    emptyCanvas(canvas);
  }
}
