import { describe, expect, it } from "vitest";
import { type Place, Strokes } from "./strokes.ts";

const pointsOf = (strokes: Strokes) => strokes.all.reduce((sum, { points }) => sum + points.length, 0);

describe("strokes", () => {
  it("begin for each finger and end with it", () => {
    const strokes = new Strokes();
    strokes.add(0, [0, 0], "red");
    strokes.add(1, [50, 50], "blue");
    strokes.add(0, [10, 0], "blue");
    strokes.end(0);
    strokes.add(0, [20, 0], "blue");
    expect(strokes.all).toEqual([
      {
        color: "red",
        points: [
          [0, 0],
          [10, 0],
        ],
      },
      { color: "blue", points: [[50, 50]] },
      { color: "blue", points: [[20, 0]] },
    ]);
  });

  it("end under the finger, however slowly it moves", () => {
    const strokes = new Strokes();
    for (let x = 0; x <= 10; x += 0.125) strokes.add(0, [x, 0], "red");
    const points = strokes.all[0]?.points ?? [];
    expect(points.length).toBeLessThan(8);
    expect([points[0], points.at(-1)]).toEqual([
      [0, 0],
      [10, 0],
    ]);
  });

  it("cost no more after a line that never ends, and have no gap", () => {
    const strokes = new Strokes();
    const at = (index: number): Place => [Math.cos(index / 20) * 150, Math.sin(index / 20) * 150];
    for (let index = 0; index < 20_000; index++) strokes.add(0, at(index), "red");
    expect(pointsOf(strokes)).toBeLessThanOrEqual(3000);
    const parts = strokes.all.map(({ points }) => points);
    expect(parts.length).toBeGreaterThan(1);
    for (const [index, part] of parts.slice(1).entries()) expect(part[0]).toEqual(parts[index]?.at(-1));
    expect(parts.at(-1)?.at(-1)).toEqual(at(19_999));
  });
});
