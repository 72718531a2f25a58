import { expect, it } from "vitest";
import { csvHead, csvLine } from "./audit-csv.ts";

/** The line of a record of which nothing is known but its request. */
const lineWith = (request_id: string) =>
  csvLine({
    id: 1,
    at: "2026-03-05T14:00:00.000Z",
    action: "recipe.edit",
    outcome: "done",
    actor: { kind: "nobody", uuid: null, email: null },
    credential_uuid: null,
    subject: null,
    address: null,
    request_id,
    details: {},
  });
const lineOf = (cell: string) => `1,2026-03-05T14:00:00.000Z,recipe.edit,done,nobody,,,,,,,,${cell},{}\r\n`;

it("begins with the mark by which Excel knows UTF-8", () => expect(csvHead).toMatch(/^\uFEFFid,at,/));

it.each(["=", "+", "-", "@", "\t"])("makes text of what would be a formula: %j", (sign) =>
  expect(lineWith(`${sign}1`)).toBe(lineOf(`'${sign}1`)),
);

it.each(["\r", "\n"])("makes text of what a new line may begin: %j", (sign) =>
  expect(lineWith(`${sign}=1`)).toBe(lineOf(`"'${sign}=1"`)),
);

it.each([
  ["a,b", '"a,b"'],
  ['a"b', '"a""b"'],
  ["a\rb", '"a\rb"'],
  ["a\nb", '"a\nb"'],
  ["a-b=c", "a-b=c"],
])("keeps %j one cell", (text, cell) => expect(lineWith(text)).toBe(lineOf(cell)));
