import fastJsonStringify from "fast-json-stringify";
import { z } from "zod";

/**
 * Writes answers as JSON: what the schema names at every depth, and nothing else. The code for it is made of the schema, when the
 * first answer is written. Values are not looked at, but with `check`, which throws at one that does not fit the schema.
 */
export function writerOf(schema: z.ZodType, check: boolean): (answer: unknown) => string {
  let write: ((answer: unknown) => string) | undefined;
  return (answer) => {
    if (check) {
      const { error } = schema.safeParse(answer);
      if (error) throw new Error("An answer that its contract does not name", { cause: error });
    }
    write ??= fastJsonStringify(jsonSchemaOf(schema) as Parameters<typeof fastJsonStringify>[0]);
    return write(answer);
  };
}

/** A schema by what is written of it: shapes and types, in the words of the library that compiles it. */
function jsonSchemaOf(schema: z.ZodType): object {
  return z.toJSONSchema(schema, {
    target: "draft-7",
    io: "output",
    override: ({ jsonSchema }) => {
      // Times are text already, and identifiers have been looked at where they came in.
      delete jsonSchema.format;
      // What is not named is left out, rather than a reason to take a value for another shape of a union.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      const [kind, none, ...more] = jsonSchema.anyOf ?? [];
      if (kind && typeof none === "object" && none.type === "null" && more.length === 0) {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, kind, { nullable: true });
      }
    },
  });
}
