import * as fc from "fast-check";
import { expect, it } from "vitest";
import { type Row, sortRows } from "./sort-rows.ts";

it("sorts like a stable sort of all rows at once, and breathes", async () => {
  const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom("a", "b", "")), {
    minLength: 3000,
    maxLength: 9000,
    size: "max",
  });
  await fc.assert(
    fc.asyncProperty(rows, async (pairs) => {
      const all = pairs.map(([number, key], at): Row => ({ number, key, line: String(at) }));
      let breaths = 0;
      const sorted = await sortRows(all, async () => void breaths++);
      expect(sorted).toEqual(
        all.toSorted((a, b) => a.number - b.number || (a.key < b.key ? -1 : Number(a.key > b.key))),
      );
      expect(breaths).toBeGreaterThan(3);
    }),
    { numRuns: 5 },
  );
});
