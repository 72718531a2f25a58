import { expect, it } from "vitest";
import { Presented } from "./presented.ts";

/** Presents rows of an identifier and a name, and notes what it had to make. */
function aPresenter() {
  const made: string[] = [];
  const presented = new Presented(async (rows: string[], origin: string) =>
    rows.map((row) => {
      made.push(`${origin} ${row}`);
      return { row, origin };
    }),
  );
  const show = (rows: string[], origin = "a") =>
    presented.of(
      rows.map((row) => ({ text: `(${row})`, row })),
      origin,
    );
  return { made, show };
}

it("makes an item once for each row and origin, and keeps the order", async () => {
  const { made, show } = aPresenter();
  const [first] = await show(["2,ivy", "1,fern"]);
  expect((await show(["3,moss", "2,ivy", "4,palm", "1,fern"])).map(({ row }) => row[0])).toEqual(["3", "2", "4", "1"]);
  expect((await show(["2,ivy"]))[0]).toBe(first);
  expect(await show(["2,ivy"], "b")).toEqual([{ row: "2,ivy", origin: "b" }]);
  expect(made).toEqual(["a 2,ivy", "a 1,fern", "a 3,moss", "a 4,palm", "b 2,ivy"]);
});

it("leaves out rows that are gone, and asks for them again", async () => {
  let isGone = true;
  const presented = new Presented(async (rows: string[]) =>
    rows.map((row) => (isGone && row === "2" ? undefined : { row })),
  );
  const show = () =>
    presented.of(
      ["1", "2", "3"].map((row) => ({ text: `(${row},x)`, row })),
      "a",
    );
  expect(await show()).toEqual([{ row: "1" }, { row: "3" }]);
  isGone = false;
  expect(await show()).toEqual([{ row: "1" }, { row: "2" }, { row: "3" }]);
});

it("makes an item anew when anything about its row is another", async () => {
  const { show } = aPresenter();
  for (const row of ["1,fern", "1,ferns", "1,fern"]) expect(await show([row])).toEqual([{ row, origin: "a" }]);
});

it("gives items that nobody can change, as others get them too", async () => {
  const { show } = aPresenter();
  const [item] = await show(["1,fern"]);
  expect(() => ((item as { row: string }).row = "")).toThrow(TypeError);
});

it("gives one page to all who share its rows, unless their origins differ", async () => {
  const presented = new Presented(async (rows: string[], origin: string) => rows.map((row) => ({ row, origin })));
  const rows = [{ text: "(1,fern)", row: "1,fern" }];
  const [first, second, other] = [presented.of(rows, "a"), presented.of(rows, "a"), presented.of(rows, "b")];
  expect(await second).toBe(await first);
  expect(Object.isFrozen(await first)).toBe(true);
  expect([await first, await other]).toEqual([[{ row: "1,fern", origin: "a" }], [{ row: "1,fern", origin: "b" }]]);
});

it("forgets what it made rather than fill the memory", async () => {
  const { made, show } = aPresenter();
  await show(["0,x"]);
  await show(Array.from({ length: 4_000 }, (_, index) => `${index + 1},x`));
  await show(["0,x", "4000,x"]);
  expect(made.slice(4_001)).toEqual(["a 0,x"]);
});

it("gives the latest page again while its items are the same, in the same order", async () => {
  const { show } = aPresenter();
  const first = await show(["1,fern", "2,ivy"]);
  expect(await show(["1,fern", "2,ivy"])).toBe(first);
  for (const rows of [["1,fern"], ["1,fern", "3,moss"], ["1,fern", "2,vine"]])
    expect(await show(rows)).toEqual(rows.map((row) => ({ row, origin: "a" })));
});

it.each([
  ["of too many items", [Array.from({ length: 4_000 }, (_, index) => `${index},moss`)]],
  ["when there are too many", Array.from({ length: 200 }, (_, index) => [`${index},moss`])],
])("forgets pages %s", async (_, others) => {
  const items = new Map<string, { row: string }>();
  const itemOf = (row: string) => items.get(row) ?? items.set(row, { row }).get(row);
  const presented = new Presented(async (rows: string[]) => rows.map(itemOf));
  const show = (rows: string[]) =>
    presented.of(
      rows.map((row) => ({ text: `(${row})`, row })),
      "a",
    );
  const first = await show(["fern,1"]);
  expect(await show(["fern,1"])).toBe(first);
  for (const rows of others) await show(rows);
  expect(await show(["fern,1"])).not.toBe(first);
});
