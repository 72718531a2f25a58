import { describe, expect, it } from "vitest";
import { z } from "zod";
import { stepsOf } from "./scim-patch.ts";

const patch = (...Operations: unknown[]) => ({ Operations });
const step = (attribute: string, value: unknown, more: object = {}) => ({
  op: "replace",
  attribute,
  filter: undefined,
  part: undefined,
  value,
  ...more,
});

describe("stepsOf", () => {
  it.each([
    ["a path", { op: "replace", path: "userName", value: "r" }, [step("username", "r")]],
    [
      "a path with its schema",
      { op: "replace", path: "urn:ietf:params:scim:schemas:core:2.0:User:name.givenName", value: "R" },
      [step("name", "R", { part: "givenname" })],
    ],
    ["operations in any case", { op: "Replace", path: "active", value: "False" }, [step("active", "False")]],
    [
      "values without a path",
      { op: "replace", value: { active: false, externalId: "7" } },
      [step("active", false), step("externalid", "7")],
    ],
    [
      "names that are paths",
      { op: "Add", value: { "name.familyName": "Reed" } },
      [step("name", "Reed", { op: "add", part: "familyname" })],
    ],
    [
      "a chosen value",
      { op: "replace", path: `emails[type eq "work"].value`, value: "r@moss.example" },
      [step("emails", "r@moss.example", { part: "value", filter: { op: "eq", attribute: "type", value: "work" } })],
    ],
    [
      "nothing of other schemas",
      { op: "add", path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", value: "QA" },
      [],
    ],
    [
      "nothing of other schemas without a path",
      { op: "add", value: { "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { department: "QA" } } },
      [],
    ],
    [
      "an identifier that comes along",
      { op: "replace", value: { id: "1", displayName: "QA" } },
      [step("displayname", "QA")],
    ],
  ])("reads %s", (_, operation, steps) => expect(stepsOf(patch(operation))).toEqual(steps));

  it.each<[string, object, string]>([
    ["another operation", { op: "move", path: "userName", value: "r" }, "invalidSyntax"],
    ["a removal of nothing", { op: "remove" }, "noTarget"],
    ["a value without names", { op: "replace", value: "r" }, "invalidValue"],
    ["what is no path", { op: "replace", path: "a..b", value: "r" }, "invalidPath"],
    ["a path into prototypes", { op: "replace", path: "__proto__.active", value: "r" }, "invalidPath"],
    ["a filter that is none", { op: "remove", path: "members[value]" }, "invalidFilter"],
    ...["id", "meta.created", "schemas", "groups"].map((path): [string, object, string] => [
      `another ${path}`,
      { op: "replace", path, value: "r" },
      "mutability",
    ]),
  ])("refuses %s", (_, operation, scimType) =>
    expect(() => stepsOf(patch(operation))).toThrow(expect.objectContaining({ status: 400, scimType })),
  );

  it.each([
    [{}],
    [{ Operations: [] }],
    [{ Operations: {} }],
    [[]],
    [null],
    [patch(...Array.from({ length: 1001 }, () => ({ op: "add", path: "title" })))],
  ])("refuses what is no patch", (body) => expect(() => stepsOf(body)).toThrow(z.ZodError));
});
