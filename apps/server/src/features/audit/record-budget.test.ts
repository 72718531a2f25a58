import { expect, it } from "vitest";
import { RecordBudget } from "./record-budget.ts";

/** Takes `count` times for each address; returns how many are to be recorded. */
const take = (budget: RecordBudget, addresses: string[], count: number) =>
  addresses.flatMap((address) => Array.from({ length: count }, () => budget.take(address))).filter(Boolean).length;

const many = (count: number) => Array.from({ length: count }, (_, index) => `203.0.${index >> 8}.${index & 255}`);

it("records fifteen of an address, and counts the others", () => {
  const budget = new RecordBudget({ each: 15, all: 100, counted: 20 });
  expect(take(budget, ["a"], 18)).toBe(15);
  expect(take(budget, ["b"], 2)).toBe(2);
  expect(budget.notRecorded()).toEqual(new Map([["a", 3]]));
});

it("records a hundred of all addresses, and counts twenty addresses separately and the others together", () => {
  const budget = new RecordBudget({ each: 15, all: 100, counted: 20 });
  expect(take(budget, many(300), 1)).toBe(100);
  const counted = budget.notRecorded();
  expect([counted.size, counted.get(""), counted.get("203.0.0.100")]).toEqual([21, 180, 1]);
});
