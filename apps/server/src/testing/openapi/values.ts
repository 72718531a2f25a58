import fc from "fast-check";
import { resolved, type Schema } from "./document.ts";

/** What a request may name that is there: identifiers and addresses, by the name of what stands around them. */
export type Known = (name: string, format: string) => readonly string[];

/** Deeper ones are as small as they may be. */
const MAX_DEPTH = 4;

/**
 * Values that a schema admits.
 * @param name what it stands at: the property, parameter or folder of the path
 */
export function valueOf(given: Schema, known: Known, name = "", depth = 0): fc.Arbitrary<unknown> {
  const schema = resolved(given);
  const inner = (one: Schema, at = name) => valueOf(one, known, at, depth + 1);
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return fc.oneof(...either.map((one) => inner(one)));
  switch (schema.type) {
    case "string":
      return textOf(schema, known, name);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "integer":
    case "number": {
      const min = schema.minimum ?? (schema.exclusiveMinimum ?? -1) + 1;
      const max = schema.maximum ?? min + 100_000;
      return fc.oneof(fc.integer({ min: Math.ceil(min), max: Math.floor(max) }), fc.constantFrom(min, max));
    }
    case "array": {
      const { minItems = 0, maxItems = 3 } = schema;
      const most = depth > MAX_DEPTH ? minItems : Math.max(minItems, Math.min(maxItems, 3));
      return fc.array(inner(schema.items ?? {}), { minLength: minItems, maxLength: most });
    }
    case "object":
      return objectOf(schema, inner);
    default:
      return fc.constantFrom<unknown>(1, "one", { one: 1 }, null);
  }
}

function objectOf(schema: Schema, inner: (one: Schema, name?: string) => fc.Arbitrary<unknown>) {
  const { properties = {}, required = [], propertyNames, additionalProperties } = schema;
  if (propertyNames && typeof additionalProperties === "object")
    return fc.dictionary(inner(propertyNames) as fc.Arbitrary<string>, inner(additionalProperties), { maxKeys: 3 });
  const fields = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one, name)]));
  const needed = required.filter((name) => name in fields);
  return fc.oneof(
    fc.record(Object.fromEntries(needed.map((name) => [name, fields[name] ?? fc.constant(null)])), {
      noNullPrototype: true,
    }),
    fc.record(fields, { requiredKeys: needed, noNullPrototype: true }),
  );
}

function textOf({ format, pattern, minLength = 0, maxLength = 40 }: Schema, known: Known, name: string) {
  const there = known(name, format ?? "");
  const ofKnown = there.length > 0 ? [{ weight: 8, arbitrary: fc.constantFrom(...there) }] : [];
  return fc.oneof(...ofKnown, { weight: 2, arbitrary: anyText({ format, pattern, minLength, maxLength }) });
}

function anyText({
  format,
  pattern,
  minLength,
  maxLength,
}: Required<Pick<Schema, "minLength" | "maxLength">> & Schema) {
  switch (format) {
    case "uuid":
      return fc.uuid({ version: 4 });
    case "email":
      return fc.stringMatching(/^[a-z]{1,9}@[a-z]{1,9}\.test$/);
    case "uri":
      return fc.stringMatching(/^https:\/\/[a-z]{1,9}\.example\.com\/[a-z]{0,9}$/);
    case "date-time":
      return instants.map((date) => date.toISOString());
    case "date":
      return instants.map((date) => date.toISOString().slice(0, 10));
    default:
  }
  if (pattern !== undefined) {
    const within = (text: string) => text.length >= minLength && text.length <= maxLength;
    return fc.stringMatching(new RegExp(pattern), { size: "small" }).map((text) => (within(text) ? text : "a"));
  }
  const plain = fc
    .stringMatching(/^[A-Za-z][a-z0-9 ]{0,10}[a-z0-9]$/)
    .map((text) => text.padEnd(minLength, "x").slice(0, maxLength));
  const most = Math.min(maxLength, Math.max(minLength, 40));
  return fc.oneof(
    { weight: 4, arbitrary: plain },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength, maxLength: most }) },
    { weight: 1, arbitrary: fc.constant("é".repeat(Math.min(maxLength, 5000))) },
  );
}
/** Around the day of the tests' clock, and further. */
const instants = fc.oneof(
  fc.date({ min: new Date("2025-12-01"), max: new Date("2026-03-01"), noInvalidDate: true }),
  fc.date({ min: new Date("1970-01-01"), max: new Date("2999-12-31"), noInvalidDate: true }),
);

/** What fits nowhere, or hardly. */
const junk = [
  null,
  true,
  0,
  -1,
  0.5,
  1e308,
  2 ** 53,
  "",
  " ",
  "\0",
  "a\0b",
  "\uD800",
  "💥".repeat(40),
  "‮txt",
  "x".repeat(10_000),
  "../../etc/passwd",
  "'; DROP TABLE users; --",
  "{{7*7}}",
  [],
  [[]],
  {},
  { $gt: "" },
  { one: { two: { three: [] } } },
];

/** Values that are like those of a schema but for one place, which a stranger may have thought of. */
export const spoiledOf = (schema: Schema, known: Known, name = ""): fc.Arbitrary<unknown> =>
  valueOf(schema, known, name).chain((value) => {
    const spots = spotsOf(schema, value);
    return fc.constantFrom(...spots).chain(({ at, schema: there }) => {
      if (at.length === 0) return fc.constantFrom<unknown>(...junk, ...beyond(there));
      const change = (to: unknown) => changed(value, at, to);
      return fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom<unknown>(...junk).map(change) },
        { weight: 4, arbitrary: fc.constantFrom<unknown>(...beyond(there)).map(change) },
        { weight: 1, arbitrary: fc.constant(changed(value, at, undefined)) },
        { weight: 1, arbitrary: fc.constant(changed(value, [...at.slice(0, -1), "is_admin"], true)) },
      );
    });
  });

/** One more than a schema admits, and one less. */
function beyond({ minimum, maximum, minLength, maxLength, maxItems, items, enum: words, anyOf }: Schema): unknown[] {
  return [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1, maximum + 0.5]),
    ...(minLength ? ["x".repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ["x".repeat(maxLength + 1)]),
    ...(maxItems === undefined || !items ? [] : [Array.from({ length: maxItems + 1 }, () => "x")]),
    ...(words ? [`${String(words[0])}x`] : []),
    ...(anyOf ?? []).flatMap((one) => beyond(resolved(one))),
    "x",
  ];
}

interface Spot {
  at: readonly (string | number)[];
  schema: Schema;
}
/** Every place of a value that its schema knows. */
function spotsOf(given: Schema, value: unknown, at: Spot["at"] = []): Spot[] {
  const schema = resolved(given);
  const here = { at, schema };
  if (at.length > MAX_DEPTH) return [here];
  if (Array.isArray(value) && schema.items)
    return [here, ...value.flatMap((one, index) => spotsOf(schema.items ?? {}, one, [...at, index]))];
  if (!schema.properties || typeof value !== "object" || value === null) return [here];
  const fields = Object.entries(schema.properties);
  return [
    here,
    ...fields.flatMap(([name, one]) => spotsOf(one, (value as Record<string, unknown>)[name], [...at, name])),
  ];
}

/** A copy with another value at one place; `undefined` leaves it out. */
function changed(value: unknown, [first, ...rest]: Spot["at"], to: unknown): unknown {
  if (first === undefined) return to;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  copy[first] = changed(copy[first], rest, to);
  if (copy[first] === undefined && !Array.isArray(copy)) delete copy[first];
  return copy;
}
