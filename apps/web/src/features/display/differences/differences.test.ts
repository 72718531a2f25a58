import { describe, expect, it } from "vitest";
import { Differences } from "./differences.ts";
import { differingRegions, SIDE } from "./regions.ts";

type Square = [x: number, y: number, width: number, height: number];

/** A grey picture with lighter squares. */
function picture(squares: readonly Square[] = [], by = 60): Uint8ClampedArray {
  const frame = new Uint8ClampedArray(SIDE * SIDE * 4).fill(100);
  for (const [left, top, width, height] of squares)
    for (let y = top; y < top + height; y++)
      for (let x = left; x < left + width; x++) frame[(y * SIDE + x) * 4 + 2] = 100 + by;
  return frame;
}
const where = (squares: readonly Square[], by?: number) =>
  differingRegions(picture(), picture(squares, by)).map(({ left, top, width, height }) =>
    [left, top, width, height].map((part) => Math.round(part * SIDE)),
  );

describe("where pictures differ", () => {
  it("is nowhere in what an encoder changes", () => {
    expect([where([]), where([[0, 0, SIDE, SIDE]], 24)]).toEqual([[], []]);
    expect(where([[0, 0, SIDE, SIDE]], 25)).toEqual([[0, 0, SIDE, SIDE]]);
  });

  it("is one rectangle around what is near to each other, and several around what is not", () => {
    const letters: Square[] = [
      [10, 50, 2, 4],
      [13, 50, 2, 4],
      [16, 52, 2, 4],
    ];
    expect(where([...letters, [60, 50, 4, 4], [95, 95, 1, 1]])).toEqual([
      [10, 50, 8, 6],
      [60, 50, 4, 4],
      [95, 95, 1, 1],
    ]);
    // What lies inside of what surrounds it is no difference of its own.
    const cup: Square[] = [
      [10, 10, 1, 30],
      [39, 10, 1, 30],
      [10, 39, 30, 1],
      [24, 24, 2, 2],
    ];
    expect(where(cup)).toEqual([[10, 10, 30, 30]]);
  });

  it("is at most twenty rectangles, and soon known of any picture", () => {
    const dots = Array.from({ length: 300 }, (_, at): Square => [(at % 19) * 5, Math.floor(at / 19) * 5, 1, 1]);
    const regions = where(dots);
    expect([regions.length > 0, regions.length <= 20]).toEqual([true, true]);
  });
});

describe("screens", () => {
  const [first, second, third] = [{}, {}, {}];
  const upright = { width: 9, height: 20 };

  it("are compared with the first, which has what any of them has", () => {
    const differences = new Differences();
    let told = 0;
    differences.subscribe(() => told++);
    differences.see(second, picture([[10, 10, 5, 5]]), upright);
    differences.compareWith(first);
    expect(differences.of(second)).toBeUndefined();
    differences.see(first, picture(), upright);
    differences.see(third, picture([[50, 50, 5, 5]]), upright);
    const counts = () => [first, second, third].map((screen) => differences.of(screen)?.length);
    expect(counts()).toEqual([2, 1, 1]);
    // Nothing is told of another picture of the same.
    const before = [told, differences.of(second)];
    differences.see(second, picture([[10, 10, 5, 5]]), upright);
    expect([told, differences.of(second)]).toEqual(before);
    differences.see(first, picture([[10, 10, 5, 5]]), upright);
    expect(counts()).toEqual([2, 0, 2]);
    differences.forget(third);
    expect(counts()).toEqual([0, 0, undefined]);
    differences.see(second, picture(), upright);
    expect(counts()).toEqual([1, 1, undefined]);
    differences.see(third, picture(), upright);
    expect(counts()).toEqual([1, 1, 1]);
    differences.forget(third);
    differences.forget(second);
    expect(counts()).toEqual([undefined, undefined, undefined]);
    differences.see(second, picture([[10, 10, 5, 5]]), upright);
    differences.forget(first);
    expect(counts()).toEqual([undefined, undefined, undefined]);
    differences.compareWith(second);
    differences.see(third, picture(), upright);
    expect(counts()).toEqual([undefined, 1, 1]);
  });

  it("are not while they are held differently", () => {
    const differences = new Differences();
    differences.compareWith(first);
    differences.see(first, picture(), upright);
    differences.see(second, picture([[1, 1, 5, 5]]), { width: 20, height: 9 });
    expect([differences.of(first), differences.of(second)]).toEqual([[], "turned"]);
  });
});
