import type { ReplayEvent } from "@terrarium/contract";
import { expect, it } from "vitest";
import { strokesAt, strokesOf } from "./strokes.ts";

const touch = (at: number, action: "down" | "move" | "up", finger: number, x: number): ReplayEvent => ({
  at,
  type: "touch",
  action,
  finger,
  x,
  y: 50,
  width: 100,
  height: 200,
});

it("follows each finger from down to up, as parts of the picture", () => {
  const strokes = strokesOf([
    touch(0, "down", 1, 10),
    touch(10, "down", 2, 90),
    touch(20, "move", 1, 20),
    touch(30, "up", 2, 80),
    touch(40, "down", 2, 50),
  ]);
  expect(strokes.map(({ from, until, points }) => [from, until, points.map(({ x }) => x)])).toEqual([
    [0, Number.POSITIVE_INFINITY, [0.1, 0.2]],
    [10, 30, [0.9, 0.8]],
    [40, Number.POSITIVE_INFINITY, [0.5]],
  ]);
  expect(strokes[0]?.points[0]?.y).toBe(0.25);
});

it("shows a finger while it is down, with its latest way, and lets it fade", () => {
  const strokes = strokesOf([touch(100, "down", 1, 0), touch(900, "move", 1, 50), touch(1_000, "up", 1, 60)]);
  expect(strokesAt(strokes, 99)).toEqual([]);
  const at = (time: number) => strokesAt(strokes, time).map(({ trail, opacity }) => [trail.map(({ x }) => x), opacity]);
  expect(at(100)).toEqual([[[0], 1]]);
  // It rests: where it is counts, however long ago it came there.
  expect(at(800)).toEqual([[[0], 1]]);
  expect(at(1_000)).toEqual([[[0.5, 0.6], 1]]);
  expect(at(1_175)).toEqual([[[0.5, 0.6], 0.5]]);
  expect(at(1_350)).toEqual([]);
});

it("takes the notches of a wheel for one turn", () => {
  const scroll = (at: number): ReplayEvent => ({ at, type: "scroll", x: 1, y: 1, width: 10, height: 10 });
  expect(strokesOf([scroll(0), scroll(900), scroll(1_800), scroll(2_900)]).map(({ from }) => from)).toEqual([0, 2_900]);
});
