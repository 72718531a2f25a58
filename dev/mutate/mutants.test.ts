import { expect, it } from "vitest";
import { mutantsOf, withMutant } from "./mutants.ts";

const faults = (source: string) => mutantsOf("a.ts", source).map((mutant) => withMutant(source, mutant));

it.each([
  ["if (a) throw new Error();", ["{}", "if (!(a)) throw new Error();"]],
  ["const b = c ? d : e;", ["const b = !(c) ? d : e;"]],
  ["const b = c >= d;", ["const b = c > d;"]],
  ["const b = c !== 'd';", ["const b = c === 'd';"]],
  ["const b = c === d;", ["const b = c !== undefined;", "const b = c !== d;"]],
  ["const b = c && d;", ["const b = ((c) || (d));"]],
  ["const b = 25, c = 1, d = 0;", ["const b = 50, c = 1, d = 0;"]],
  ["const b = limits.c;", ["const b = (limits.c + 1);"]],
  [
    `const b = db.where("c", "=", d).limit(1).execute();`,
    ["const b = db.limit(1).execute();", `const b = db.where("c", "=", d).execute();`],
  ],
  ["async () => { await tell(b); };", ["async () => { ; };"]],
  [
    "const b = sql`SELECT count(*) WHERE c`;",
    ["const b = sql`SELECT 0 * count(*) WHERE c`;", "const b = sql`SELECT count(*) WHERE true OR c`;"],
  ],
  ["type B = 25 | true; const c: 25 = d as 30;", []],
])("generates the mutants of %s", (source, expected) => {
  expect(faults(source)).toEqual(expected);
});

it("reports the line and the change", () => {
  expect(mutantsOf("a.ts", "\n\nif (a) throw b;").map(({ line, what }) => `${line} ${what}`)).toEqual([
    "3 without: if (a) throw b;",
    "3 if (a) negated",
  ]);
});
