import { expect, it } from "vitest";
import { Presented } from "./presented.ts";

/** Presents numbers as items, and notes what it had to make. */
function aPresenter() {
  const made: string[] = [];
  const presented = new Presented(async (rows: number[], origin: string) =>
    rows.map((row) => {
      made.push(`${origin} ${row}`);
      return { row, origin };
    }),
  );
  const show = (rows: number[], origin = "a") =>
    presented.of(
      rows.map((row) => ({ text: `(${row})`, row })),
      origin,
    );
  return { made, show };
}

it("makes an item once for each row and origin, and keeps the order", async () => {
  const { made, show } = aPresenter();
  const [first] = await show([2, 1]);
  expect((await show([3, 2, 4, 1])).map(({ row }) => row)).toEqual([3, 2, 4, 1]);
  expect((await show([2]))[0]).toBe(first);
  expect(await show([2], "b")).toEqual([{ row: 2, origin: "b" }]);
  expect(made).toEqual(["a 2", "a 1", "a 3", "a 4", "b 2"]);
});

it("gives items that nobody can change, as others get them too", async () => {
  const { show } = aPresenter();
  const [item] = await show([1]);
  expect(() => ((item as { row: number }).row = 2)).toThrow(TypeError);
});

it("forgets what it made rather than fill the memory", async () => {
  const { made, show } = aPresenter();
  await show([0]);
  await show(Array.from({ length: 4_000 }, (_, index) => index + 1));
  await show([0, 4_000]);
  expect(made.slice(4_001)).toEqual(["a 0"]);
});
