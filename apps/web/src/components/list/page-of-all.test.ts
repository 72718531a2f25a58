import { expect, it } from "vitest";
import { pageOfAll } from "./page-of-all.ts";

const rows = [
  { name: "token 10", used: "2026-03-02" },
  { name: "token 9", used: null },
  { name: "Build", used: "2026-03-05" },
];
const ask = { page: 1, page_size: 10, ordering: "name", search: undefined, filters: {} };
const namesOf = (change: Partial<Omit<typeof ask, "search"> & { search: string }>) =>
  pageOfAll(rows, { ...ask, ...change }, ({ name }) => name).results.map(({ name }) => name);

it.each([
  ["name", ["Build", "token 9", "token 10"]],
  ["-name", ["token 10", "token 9", "Build"]],
  ["used", ["token 10", "Build", "token 9"]],
  ["-used", ["Build", "token 10", "token 9"]],
])("sorts by %s, and what has no value last", (ordering, expected) => expect(namesOf({ ordering })).toEqual(expected));

it("searches without regard to case", () => expect(namesOf({ search: "bUI" })).toEqual(["Build"]));

it("cuts pages, and counts what was found", () => {
  expect(namesOf({ page: 2, page_size: 2 })).toEqual(["token 10"]);
  expect(pageOfAll(rows, { ...ask, page_size: 1, search: "token" }, ({ name }) => name).count).toBe(2);
});
