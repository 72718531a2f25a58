import { contract, isJson, type Route } from "@terrarium/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { writerOf } from "./reply-writer.ts";

/** The schema of a scenario asks for much that no type says: chance does not find one. */
const beyondTypes = new Set(["scenarios.recorded"]);
const replies = Object.entries(contract).flatMap(([noun, table]) =>
  Object.entries(table as Record<string, Route>).flatMap(([verb, { reply }]) =>
    reply && isJson(reply) && !beyondTypes.has(`${noun}.${verb}`) ? [[`${noun}.${verb}`, reply] as const] : [],
  ),
);

const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom('"', "\\", "\ud800", "\u2028", "</script>"));
// Parsing drops a record's key `__proto__`; writing it is harmless.
const key = text.filter((name) => name !== "__proto__");
const foreign = fc.dictionary(fc.constantFrom("password_hash", "zz_secret", "toJSON_"), fc.jsonValue());

type Node = z.core.JSONSchema.BaseSchema;

/** How often a schema that refers to itself does so in one value. */
const DEPTH = 2;

/** Values that match a schema, with additional unknown keys at every depth. */
function valuesOf(node: Node, root = node, depth = 0): fc.Arbitrary<unknown> {
  const inner = (one: Node) => valuesOf(one, root, depth);
  const either = node.anyOf ?? node.oneOf;
  if (either) return fc.oneof(...either.map((one) => inner(one)));
  if (node.$ref) return valuesOf(root.$defs?.[node.$ref.replace("#/$defs/", "")] ?? root, root, depth + 1);
  if (Array.isArray(node.type)) return fc.oneof(...node.type.map((type) => inner({ ...node, type })));
  if (node.const !== undefined) return fc.constant(node.const);
  if (node.enum) return fc.constantFrom(...node.enum);
  if (node.type === "string") return textOf(node.format);
  if (node.type === "integer") return fc.integer({ min: node.minimum, max: node.maximum });
  if (node.type === "number") return fc.double({ noDefaultInfinity: true, noNaN: true });
  if (node.type === "boolean") return fc.boolean();
  if (node.type === "null") return fc.constant(null);
  if (node.type === "array") {
    const items = node.items as Node;
    if (items.$ref && depth === DEPTH) return fc.constant([]);
    return fc.array(inner(items), { minLength: node.minItems ?? 0, maxLength: 3 });
  }
  if (node.type !== "object") return fc.jsonValue();
  if (!node.properties) return fc.dictionary(key, inner(node.additionalProperties as Node), { maxKeys: 3 });
  const fields = Object.entries(node.properties).map(([name, value]) => [name, inner(value as Node)] as const);
  const requiredKeys = node.required ?? [];
  return fc
    .tuple(foreign, fc.record(Object.fromEntries(fields), { requiredKeys }))
    .map(([more, value]) => ({ ...more, ...value }));
}

function textOf(format: string | undefined): fc.Arbitrary<string> {
  if (format === "uuid") return fc.uuid({ version: 4 });
  if (format === "uri") return fc.webUrl();
  const time = fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-01-01") })
    .map((at) => at.toISOString());
  if (format === "date") return time.map((at) => at.slice(0, "2026-03-05".length));
  return format === "date-time" ? time : text;
}

/** What is written, and what parsing with the schema would return. */
const written = (schema: z.ZodType, value: unknown): unknown => JSON.parse(String(writerOf(schema, false)(value)));
const named = (schema: z.ZodType, value: unknown): unknown => JSON.parse(JSON.stringify(schema.parse(value)));
const values = (schema: z.ZodType) => valuesOf(z.toJSONSchema(schema, { io: "output" }));
const runs = { numRuns: 30 };

describe("writerOf", () => {
  it.each(replies)("writes what parsing with the schema of %s would return", (_, schema) =>
    fc.assert(
      fc.property(values(schema), (value) => {
        expect(written(schema, value)).toEqual(named(schema, value));
      }),
      runs,
    ),
  );

  it.each([
    ["keys that may be missing", z.object({ a: z.string().optional(), b: z.int().nullable().optional() })],
    [
      "one of two shapes",
      z.union([z.object({ kind: z.literal("a"), n: z.int() }), z.object({ kind: z.literal("b") })]),
    ],
    ["a shape or null", z.union([z.object({ n: z.int() }), z.array(z.string()), z.null()])],
    ["numbers", z.object({ share: z.number(), of: z.array(z.number().nullable()) })],
    ["items alone", z.object({ results: z.array(z.object({ n: z.int() })) })],
    ["items that are texts", z.object({ count: z.int(), results: z.array(z.string()) })],
    ["items that are numbers or missing", z.object({ results: z.array(z.number().nullable()) })],
    ["unknown values", z.object({ any: z.unknown(), rest: z.record(z.string(), z.object({ n: z.int() }).nullable()) })],
  ])("supports %s", (_, schema) =>
    fc.assert(
      fc.property(values(schema), (value) => {
        expect(written(schema, value)).toEqual(named(schema, value));
      }),
      runs,
    ),
  );

  it("writes a scenario", () => {
    const { reply } = contract.scenarios.recorded;
    const points = [
      { latitude: 1, longitude: 2, at: 0 },
      { latitude: 1.5, longitude: 2, altitude: 3, at: 4.5 },
    ];
    const steps = [{ name: "a", after: 2, battery: { level: 9 } }, { at: 3, route: { points } }, { clipboard: '"' }];
    const value = { scenario: { name: "b", repeat: 2, steps } };
    expect(written(reply, value)).toEqual(value);
    expect(written(reply, { scenario: null })).toEqual({ scenario: null });
  });

  it("validates only if `check` is set", () => {
    const schema = z.object({ name: z.string().min(2) });
    expect(() => writerOf(schema, true)({ name: "a" })).toThrow("does not match the contract's schema");
    expect(String(writerOf(schema, false)({ name: "a" }))).toBe('{"name":"a"}');
    expect(String(writerOf(schema, true)({ name: "ab", secret: 1 }))).toBe('{"name":"ab"}');
  });

  it("writes the items of a page anew, unless they are frozen", () => {
    const write = writerOf(z.object({ count: z.int(), results: z.array(z.object({ n: z.int() })) }), false);
    let reads = 0;
    const counting = {
      get n() {
        return ++reads;
      },
    };
    const resultsOf = (item: object) => JSON.parse(String(write({ count: 1, results: [item] }))).results;
    expect([resultsOf(counting), resultsOf(counting)]).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    Object.freeze(counting);
    expect([resultsOf(counting), resultsOf(counting)]).toEqual([[{ n: 3 }], [{ n: 3 }]]);
  });

  it("writes what is beside the items of a page anew, also when these are frozen", () => {
    const write = writerOf(z.object({ count: z.int(), results: z.array(z.object({ n: z.int() })) }), false);
    const results = Object.freeze([{ n: 1 }]);
    for (const count of [1, 2, 2]) expect(JSON.parse(String(write({ count, results })))).toEqual({ count, results });
  });
});
