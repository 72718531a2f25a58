import { describe, expect, it } from "vitest";
import { exampleOf, type Schema, schemaText } from "./schema-text.ts";

const named: Record<string, Schema> = {
  Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } },
};
const schema: Schema = {
  type: "object",
  properties: {
    name: { type: "string", description: "Of it,\n  in words" },
    hours: { enum: [1, 4] },
    at: { type: ["string", "null"], format: "date-time" },
    tags: { type: "array", items: { type: "string" } },
    one: { anyOf: [{ const: -1 }, { type: "integer" }] },
    more: { type: "object", additionalProperties: { type: "number" } },
    inner: { type: "object", properties: { is_on: { type: "boolean", default: true } }, required: ["is_on"] },
  },
  required: ["name", "hours", "one", "inner"],
};

describe("a schema as text", () => {
  it("is like JSON, with types, what may be left out, and what is said of it", () =>
    expect(schemaText(schema, named)).toBe(`{
  name: string // Of it, in words
  hours: 1 | 4
  at?: date-time
  tags?: [string]
  one: -1 | integer
  more?: { [name]: number }
  inner: {
    is_on: boolean
  }
}`));

  it("ends where a schema holds itself", () => {
    expect(schemaText(named["Node"]!, named)).toContain("next?: …");
    expect(exampleOf({ ...named["Node"], required: ["next"] }, named)).toEqual({ next: {} });
  });
});

it("makes an example of what must be there", () =>
  expect(exampleOf(schema, named)).toEqual({ name: "", hours: 1, one: -1, inner: { is_on: true } }));
