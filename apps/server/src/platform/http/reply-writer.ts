import fastJsonStringify from "fast-json-stringify";
import { z } from "zod";

type Write = (answer: never) => string | Buffer;

/**
 * A serialiser for replies: writes the fields that the schema names, at every depth, and no others. It is compiled from the schema when the
 * first reply is written. Values are not validated, unless `check` is set: then a reply that does not match the schema throws. Bytes are sent
 * as they are, while Node copies a text twice.
 */
export function writerOf(schema: z.ZodType, check: boolean): (answer: unknown) => Buffer {
  return (answer) => {
    if (check) {
      const { error } = schema.safeParse(answer);
      if (error) throw new Error("The reply does not match the contract's schema", { cause: error });
    }
    const written = compiled(schema)(answer as never);
    return typeof written === "string" ? Buffer.from(written) : written;
  };
}

/** Once for all routes with the same schema, and for all the servers of a process: to compile takes longer than a request. */
const writers = new WeakMap<z.ZodType, Write>();

function compiled(schema: z.ZodType): Write {
  let write = writers.get(schema);
  if (!write) writers.set(schema, (write = compile(schema)));
  return write;
}

function compile(schema: z.ZodType): Write {
  const page = schema instanceof z.ZodObject ? schema.shape["results"] : undefined;
  return schema instanceof z.ZodObject && page instanceof z.ZodArray && page.element instanceof z.ZodObject
    ? pageWriter(schema, page.element)
    : fastJsonStringify(jsonSchemaOf(schema) as Parameters<typeof fastJsonStringify>[0]);
}

/** Writes the items of a page one by one. The texts of frozen items, and the bytes of frozen lists of them, are remembered as long as these exist. */
function pageWriter(page: z.ZodObject, item: z.ZodType): (answer: { results: object[] }) => Buffer {
  const writePage = compiled(page.omit({ results: true })) as (answer: object) => string;
  const writeItem = compiled(item) as (item: object) => string;
  const texts = new WeakMap<object, string>();
  const pages = new WeakMap<object, { others: string; bytes: Buffer }>();
  const textOf = (item: object): string => {
    let text = texts.get(item);
    if (text === undefined) {
      text = writeItem(item);
      if (Object.isFrozen(item)) texts.set(item, text);
    }
    return text;
  };
  return (answer) => {
    const { results } = answer;
    const others = writePage(answer).slice(0, -1);
    const known = pages.get(results);
    if (known?.others === others) return known.bytes;
    const bytes = Buffer.from(`${others}${others === "{" ? "" : ","}"results":[${results.map(textOf).join(",")}]}`);
    if (Object.isFrozen(results)) pages.set(results, { others, bytes });
    return bytes;
  };
}

/** The shapes and types of a schema, as JSON Schema for the library that compiles the serialiser. */
function jsonSchemaOf(schema: z.ZodType): object {
  return z.toJSONSchema(schema, {
    target: "draft-7",
    io: "output",
    override: ({ jsonSchema }) => {
      // Unknown fields are dropped; they must not make a value match another shape of a union.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      const [kind, none, ...more] = jsonSchema.anyOf ?? [];
      if (kind && typeof none === "object" && none.type === "null" && more.length === 0) {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, kind, { nullable: true });
      }
    },
  });
}
