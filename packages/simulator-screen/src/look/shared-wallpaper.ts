import type { Canvas } from "@napi-rs/canvas";
import { emptyCanvas } from "../draw/empty-canvas.ts";
import { createWallpaper } from "./wallpaper.ts";

/** How many that nobody shows are cached, some 10 MB each, so that the next device of that size need not paint one. */
const MAX_SPARE = 2;

interface Paper {
  canvas: Canvas;
  users: number;
}

/** A background while it is shown. Nobody draws on it. */
export interface SharedWallpaper {
  readonly canvas: Canvas;
  /** To be called once; the canvas must not be used after it. */
  release(): void;
}

/** By size and appearance, the longest unused first. All devices of the same size share one. */
const papers = new Map<string, Paper>();

/** The background of a home screen, `width` and `height` in pixels. */
export function takeWallpaper(dark: boolean, width: number, height: number): SharedWallpaper {
  const key = `${dark} ${width}x${height}`;
  const paper = papers.get(key) ?? { canvas: createWallpaper(dark, width, height), users: 0 };
  paper.users++;
  papers.set(key, paper);
  return {
    canvas: paper.canvas,
    release() {
      paper.users--;
      if (paper.users > 0) return;
      // To the end: it is the most recently used of those that nobody shows.
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
