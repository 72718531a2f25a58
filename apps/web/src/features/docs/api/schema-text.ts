/** What the page reads of a JSON schema. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

type Named = Readonly<Record<string, Schema>>;

/** Beyond it, only that there is an object: some hold others of their kind. */
const DEEPEST = 6;

/** What `$ref` leads to, if it is one. */
function resolved(schema: Schema, named: Named): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return (name === undefined ? undefined : named[name]) ?? schema;
}

const choicesOf = ({ anyOf, oneOf, allOf }: Schema) => anyOf ?? oneOf ?? allOf;

/** A schema as people read it: like JSON, with types in place of values, `?` where something may be left out, and what is said of it. */
export function schemaText(given: Schema, named: Named, depth = 0): string {
  const schema = resolved(given, named);
  const { properties, required = [], items, additionalProperties: others } = schema;
  const choices = choicesOf(schema);
  const within = (inner: Schema) => schemaText(inner, named, depth + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (choices) return [...new Set(choices.map(within))].join(schema.allOf ? " & " : " | ");
  if (depth > DEEPEST) return "…";
  if (items) return `[${within(items)}]`;
  if (properties) {
    const indent = "  ".repeat(depth + 1);
    const lines = Object.entries(properties).map(([name, inner]) => {
      const note = inner.description ? ` // ${inner.description.replaceAll(/\s+/g, " ")}` : "";
      return `${indent}${name}${required.includes(name) ? "" : "?"}: ${within(inner)}${note}\n`;
    });
    return `{\n${lines.join("")}${"  ".repeat(depth)}}`;
  }
  if (typeof others === "object") return `{ [name]: ${within(others)} }`;
  return schema.format ?? [schema.type ?? "anything"].flat().join(" | ");
}

/** Something to begin with: what must be there, with its default or an empty value. */
export function exampleOf(given: Schema, named: Named, depth = 0): unknown {
  const schema = resolved(given, named);
  const { properties = {}, required = [], type } = schema;
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const first = choicesOf(schema)?.[0];
  if (first) return exampleOf(first, named, depth);
  const kind = [type].flat()[0];
  if (kind === "object" && depth <= DEEPEST)
    return Object.fromEntries(
      required.flatMap((name) => (properties[name] ? [[name, exampleOf(properties[name], named, depth + 1)]] : [])),
    );
  const plain: Record<string, unknown> = { array: [], object: {}, integer: 0, number: 0, boolean: false, null: null };
  return kind && kind in plain ? plain[kind] : "";
}
