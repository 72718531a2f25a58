import { describe, expect, it } from "vitest";
import { ScimError } from "./scim-error.ts";
import { type Filter, matches, parseFilter } from "./scim-filter.ts";

const eq = (attribute: string, value: string | boolean): Filter => ({ op: "eq", attribute, value });

describe("parseFilter", () => {
  it.each([
    [`userName eq "Robin"`, eq("username", "Robin")],
    [`USERNAME EQ "Robin"`, eq("username", "Robin")],
    [`urn:ietf:params:scim:schemas:core:2.0:User:userName eq "Robin"`, eq("username", "Robin")],
    [`userName eq "a \\"quoted\\" \\\\ one"`, eq("username", `a "quoted" \\ one`)],
    [`userName eq "and or ( ["`, eq("username", "and or ( [")],
    [`active eq true`, eq("active", true)],
    [`active eq False`, eq("active", false)],
    [`emails.value eq "r@moss.example"`, eq("emails.value", "r@moss.example")],
    [
      `emails[type eq "work"].value eq "r@moss.example"`,
      { op: "and", filters: [eq("emails.type", "work"), eq("emails.value", "r@moss.example")] },
    ],
    [
      `emails[type eq "work" and value eq "r"]`,
      { op: "and", filters: [eq("emails.type", "work"), eq("emails.value", "r")] },
    ],
    [
      `a eq "1" or b eq "2" and c eq "3"`,
      { op: "or", filters: [eq("a", "1"), { op: "and", filters: [eq("b", "2"), eq("c", "3")] }] },
    ],
    [
      `(a eq "1" or b eq "2") and c eq "3"`,
      { op: "and", filters: [{ op: "or", filters: [eq("a", "1"), eq("b", "2")] }, eq("c", "3")] },
    ],
  ] as const)("reads %s", (text, filter) => expect(parseFilter(text)).toEqual(filter));

  it.each([
    "",
    "userName",
    "userName eq",
    `userName co "r"`,
    `userName pr`,
    `not (userName eq "r")`,
    `userName eq r`,
    `userName eq 3`,
    `userName eq null`,
    `userName eq "r" and`,
    `userName eq "r") or (active eq true`,
    `(userName eq "r"`,
    `emails[type eq "work"`,
    `userName eq "r`,
    `userName eq "\\x"`,
    `userName eq "\\u0000"`,
    `; DROP TABLE users`,
    `${"(".repeat(11)}a eq "1"${")".repeat(11)}`,
    Array(51).fill(`a eq "1"`).join(" or "),
    `userName eq "${"r".repeat(2000)}"`,
  ])("refuses %j", (text) => {
    expect(() => parseFilter(text)).toThrow(ScimError);
    expect(() => parseFilter(text)).toThrow(expect.objectContaining({ status: 400, scimType: "invalidFilter" }));
  });

  it("is quick with whatever is sent", () => {
    const before = performance.now();
    for (const text of [
      `a eq "${"\n".repeat(1900)}`,
      `a eq "${"\\\\".repeat(900)}`,
      " ".repeat(2000),
      "a.".repeat(900),
    ])
      expect(() => parseFilter(text)).toThrow(ScimError);
    expect(performance.now() - before).toBeLessThan(200);
  });
});

describe("matches", () => {
  const robin = { value: "Robin", primary: true };
  it.each([
    [`value eq "robin"`, true],
    [`value eq "kim"`, false],
    [`value eq "robin" and primary eq true`, true],
    [`value eq "kim" or primary eq true`, true],
    [`value eq "robin" and primary eq false`, false],
    [`other eq "robin"`, false],
  ])("%s: %s", (text, is) => expect(matches(parseFilter(text), robin)).toBe(is));
});
