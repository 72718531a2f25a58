import { describe, expect, it } from "vitest";
import { takeWallpaper } from "./shared-wallpaper.ts";

const take = (width: number, dark = false) => takeWallpaper(dark, width, 64);

describe("wallpapers", () => {
  it("are one for all devices of the same size and appearance", () => {
    const [one, same, dark, wide] = [take(32), take(32), take(32, true), take(48)];
    expect(same.canvas).toBe(one.canvas);
    expect(new Set([one.canvas, dark.canvas, wide.canvas]).size).toBe(3);
    for (const paper of [one, same, dark, wide]) paper.release();
  });

  it("stay while somebody shows them, and the two that were shown last after that", () => {
    const [shown, again] = [take(40), take(40)];
    again.release();
    const [first, second, third] = [take(50), take(51), take(52)];
    for (const paper of [first, second, third]) paper.release();
    expect([shown, first, second, third].map(({ canvas }) => canvas.width)).toEqual([40, 1, 51, 52]);
    const next = take(50);
    expect(next.canvas).not.toBe(first.canvas);
    expect(next.canvas.width).toBe(50);
    for (const paper of [shown, next]) paper.release();
  });
});
