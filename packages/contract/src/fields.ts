import { z } from "zod";
import { limits } from "./limits.ts";

/** Identifiers are uuids of version 4. */
export const Uuid = z.uuidv4({ error: "This identifier is not valid." });
export const ByUuid = z.object({ uuid: Uuid });

/** PostgreSQL keeps no NUL in a text. */
const hasNoNul = (text: string): boolean => !text.includes("\0");
const NUL_REFUSED = "Must not contain NUL";

export const Time = z.iso.datetime().meta({ description: "UTC, ISO 8601" });
export const Name = z.string().trim().min(1, "Required").max(limits.textLength).refine(hasNoNul, NUL_REFUSED);
export const Email = z.string().trim().toLowerCase().max(limits.emailLength).pipe(z.email());

export const architectures = ["arm64", "x86", "x86_64"] as const;
export const Arch = z.enum(architectures);
export type Arch = z.infer<typeof Arch>;

export const formFactors = ["PHONE", "TABLET", "CAR", "WATCH", "TV"] as const;
export const FormFactor = z.enum(formFactors);
export type FormFactor = z.infer<typeof FormFactor>;

/** A key that may be repeated, or hold a comma list: `arch=x86&arch=arm64`, `state=ONLINE,BOOTING`. */
export const listOf = <Item extends z.ZodType<unknown, string>>(item: Item, max = 50) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => [value].flat().flatMap((part) => part.split(",").filter(Boolean)))
    .pipe(z.array(item).max(max));

const wholeNumber = z
  .string()
  .regex(/^-?\d{1,9}$/, "Must be an integer")
  .transform(Number);
const count = z.union([z.int(), wholeNumber]);

/** `page` counts from 1; `page_size` -1 is all rows, up to the largest page. */
export const Paging = z.object({
  page: count.pipe(z.int().min(1).max(limits.pageMax)).default(1),
  page_size: count
    .pipe(
      z
        .int()
        .min(-1)
        .refine((size) => size !== 0, "Must be -1 or at least 1"),
    )
    .default(limits.pageSize),
});
export type Paging = z.output<typeof Paging>;

/** `ordering=-created_at`; a `+` that was not encoded arrives as a space, an encoded one as itself. */
export const orderingOf = <const Field extends string>(
  fields: readonly [Field, ...Field[]],
  byDefault: NoInfer<Field | `-${Field}`>,
) =>
  z
    .string()
    .default(byDefault)
    .transform((value) => value.replace(/^[+ ]|^%2B/i, ""))
    .transform((value) => ({ field: value.replace(/^-/, ""), descending: value.startsWith("-") }))
    .pipe(z.object({ field: z.enum(fields), descending: z.boolean() }));

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ count: z.int(), next: z.url().nullable(), previous: z.url().nullable(), results: z.array(item) });

export const Search = z.string().trim().max(limits.searchLength).refine(hasNoNul, NUL_REFUSED);

/** Names a row among others: an e-mail address or a uuid. */
export const Key = z.string().max(limits.emailLength).refine(hasNoNul, NUL_REFUSED);
