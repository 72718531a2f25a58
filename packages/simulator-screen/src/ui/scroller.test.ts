import { describe, expect, it } from "vitest";
import { Scroller } from "./scroller.ts";

function scroller(max = 1000): Scroller {
  const made = new Scroller();
  made.max = max;
  return made;
}

describe("Scroller", () => {
  it("follows the finger", () => {
    const list = scroller();
    list.grab(0);
    list.drag(120);
    expect(list.at(0)).toBe(120);
  });

  it("goes on after a quick finger, ever slower, and rests", () => {
    const list = scroller();
    list.grab(0);
    list.drag(10);
    list.release(1000, 0);
    const [early, later, late] = [list.at(100), list.at(400), list.at(3000)];
    expect(early).toBeGreaterThan(10);
    expect(later - early).toBeGreaterThan(late - later);
    expect(late).toBeCloseTo(10 + 325, -1);
    expect(list.moving).toBe(false);
  });

  it("follows half-heartedly beyond an end and springs back", () => {
    const list = scroller();
    list.grab(0);
    list.drag(-1);
    list.drag(-100);
    expect(list.at(0)).toBeGreaterThan(-60);
    list.release(0, 0);
    expect(list.moving).toBe(true);
    expect(list.at(2000)).toBe(0);
    expect(list.moving).toBe(false);
  });

  it("comes to rest at the end when a fling reaches it", () => {
    const list = scroller(50);
    list.grab(0);
    list.release(4000, 0);
    for (let now = 0; now < 3000; now += 16) list.at(now);
    expect(list.at(3000)).toBe(50);
  });

  it("adds up glides and stays within its ends", () => {
    const list = scroller(100);
    list.glide(72, 0);
    list.glide(72, 10);
    expect(list.at(1000)).toBe(100);
  });
});
