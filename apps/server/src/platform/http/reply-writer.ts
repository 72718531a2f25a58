import fastJsonStringify from "fast-json-stringify";
import { z } from "zod";

type Write = (answer: never) => string;

/**
 * A serialiser for replies: writes the fields that the schema names, at every depth, and no others. It is compiled from the schema when the
 * first reply is written. Values are not validated, unless `check` is set: then a reply that does not match the schema throws.
 */
export function writerOf(schema: z.ZodType, check: boolean): (answer: unknown) => string {
  let write: ((answer: unknown) => string) | undefined;
  return (answer) => {
    if (check) {
      const { error } = schema.safeParse(answer);
      if (error) throw new Error("The reply does not match the contract's schema", { cause: error });
    }
    write ??= compiled(schema) as (answer: unknown) => string;
    return write(answer);
  };
}

function compiled(schema: z.ZodType): Write {
  const page = schema instanceof z.ZodObject ? schema.shape["results"] : undefined;
  return schema instanceof z.ZodObject && page instanceof z.ZodArray && page.element instanceof z.ZodObject
    ? pageWriter(schema, page.element)
    : fastJsonStringify(jsonSchemaOf(schema) as Parameters<typeof fastJsonStringify>[0]);
}

/** Writes the items of a page one by one. The texts of frozen items, and of frozen lists of them, are remembered as long as these exist. */
function pageWriter(page: z.ZodObject, item: z.ZodType): (answer: { results: object[] }) => string {
  const writePage = compiled(page.omit({ results: true })) as (answer: object) => string;
  const writeItem = compiled(item) as (item: object) => string;
  const texts = new WeakMap<object, string>();
  const remembered = <Written extends object>(written: Written, write: (written: Written) => string): string => {
    let text = texts.get(written);
    if (text === undefined) {
      text = write(written);
      if (Object.isFrozen(written)) texts.set(written, text);
    }
    return text;
  };
  const writeItems = (items: object[]) => items.map((each) => remembered(each, writeItem)).join(",");
  return (answer) => {
    const others = writePage(answer).slice(0, -1);
    return `${others}${others === "{" ? "" : ","}"results":[${remembered(answer.results, writeItems)}]}`;
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
