import fastJsonStringify from "fast-json-stringify";
import { z } from "zod";

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
    write ??= fastJsonStringify(jsonSchemaOf(schema) as Parameters<typeof fastJsonStringify>[0]);
    return write(answer);
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
