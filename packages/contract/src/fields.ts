import { z } from "zod";
import { emailPattern, type FieldRule, firstBroken, origin, passwordRules, sayBroken, visible } from "./field-rules.ts";
import { limits } from "./limits.ts";

/** An identifier in a reply. */
export const Uuid = z.uuidv4({ error: "This identifier is not valid." });

/** An identifier in a request. UUIDs of other versions are accepted as well-formed, and not found. */
export const GivenUuid = z.guid({ error: "This identifier is not valid." }).toLowerCase();
export const ByUuid = z.object({ uuid: GivenUuid });

/** Whether an issue is about a malformed identifier, which has its own error code. */
export const isIdentifierIssue = (issue: z.core.$ZodIssue): boolean =>
  issue.code === "invalid_format" && issue.format === "guid";

/** PostgreSQL cannot store NUL in text. */
const hasNoNul = (text: string): boolean => !text.includes("\0");
export const NUL_REFUSED = "Must not contain NUL";

export const Time = z.iso.datetime().meta({ description: "UTC, ISO 8601" });

/** Text that is checked by the same rules as in forms; the issue names the first broken one. */
export const ruled = (rules: readonly FieldRule[]) =>
  z.string().superRefine((value, { addIssue }) => {
    const broken = firstBroken(rules, value);
    if (broken) addIssue({ code: "custom", message: sayBroken(broken) });
  });

const Line = z
  .string()
  .trim()
  .max(limits.textLength, sayBroken({ says: "maxLength", max: limits.textLength }));

/** Origins of other services' pages. */
export const origins = (max: number) =>
  z
    .array(ruled([origin]))
    .max(max)
    .refine((given) => new Set(given).size === given.length, { error: "Must not repeat" });

/** What people call a device, a token, an organization. */
export const Name = Line.min(1, "Required").pipe(ruled([visible]));

/** A person's first or last name; may be empty, as some people have only one. */
export const PersonName = Line.pipe(ruled([visible]));

/** A line about something; may be empty. */
export const Description = Line.pipe(ruled([visible]));

/** Text of several lines, for people to read; may be empty. */
export const messageOf = (max: number) =>
  z
    .string()
    .trim()
    .max(max, sayBroken({ says: "maxLength", max }))
    .refine((text) => !/(?![\n\t])\p{Cc}|\p{Cs}/u.test(text.replaceAll("\r\n", "\n")), {
      error: sayBroken({ says: "invisible" }),
    });

/** The refusal of a list of addresses that is too long. */
export const tooManyEmails = (max: number) => ({ error: `Too many emails. Limit is ${max}.` });

/** A whole number from `min` to `max`, refused in the words of the forms. */
export const integerWithin = ({ min, max }: { min: number; max: number }) =>
  z
    .int({ error: ({ input }) => sayBroken({ says: typeof input === "number" ? "notInteger" : "notNumber" }) })
    .min(min, sayBroken({ says: "tooSmall", min }))
    .max(max, sayBroken({ says: "tooLarge", max }));

const emailError = sayBroken({ says: "email" });
export const Email = z.preprocess(
  (value: string) => (typeof value === "string" ? value.trim().toLowerCase() : value),
  z.email({ pattern: emailPattern, error: emailError }).max(limits.emailLength, emailError),
);
export const Password = ruled(passwordRules).meta({
  minLength: limits.passwordMinLength,
  maxLength: limits.passwordMaxLength,
});

export const architectures = ["arm64", "x86", "x86_64"] as const;
export const Arch = z.enum(architectures);
export type Arch = z.infer<typeof Arch>;

export const formFactors = ["PHONE", "TABLET", "CAR", "WATCH", "TV"] as const;
export const FormFactor = z.enum(formFactors);
export type FormFactor = z.infer<typeof FormFactor>;

/**
 * A filter that may be repeated or a comma-separated list: `arch=x86&arch=arm64`, `state=ONLINE,BOOTING`.
 * An empty one (`arch=`) counts as not set.
 */
export const listOf = <Item extends z.ZodType<unknown, string>>(item: Item, max = 50) =>
  z
    .preprocess((value: z.input<Item> | z.input<Item>[]) => {
      const items = [value]
        .flat()
        .flatMap((part) => (typeof part === "string" ? part.split(",").filter(Boolean) : part));
      return items.length > 0 ? items : undefined;
    }, z.array(item).max(max).optional())
    .optional();

/** Converts numbers, which are text in a query string; our own clients' types allow both. */
const numberOf = (value: number | string): unknown =>
  typeof value === "string" && /^-?\d{1,9}$/.test(value) ? Number(value) : value;

const words: ReadonlyMap<unknown, boolean> = new Map([
  ["true", true],
  ["false", false],
]);
/** A boolean in a query: `organization_wide=true`. */
export const Flag = z.preprocess((value: boolean | "true" | "false") => words.get(value) ?? value, z.boolean());

const WHOLE = { error: "Must be an integer" };

const pageSize = z
  .union([z.literal(-1), z.int().min(1).meta({ maximum: limits.pageSizeMax })], { error: "Must be -1 or at least 1" })
  .meta({ description: "-1 for all rows; more than the maximum is refused" });

/** The size of a page where one has to be named. */
export const PageSize = z.preprocess(numberOf, pageSize);

/** `page` counts from 1; `page_size` -1 means all rows, up to the largest page. */
export const Paging = z.object({
  page: z.preprocess(numberOf, z.int(WHOLE).min(1).max(limits.pageMax).meta({ default: 1 })).default(1),
  page_size: z.preprocess(numberOf, pageSize.meta({ default: limits.pageSize })).default(limits.pageSize),
});
export type Paging = z.output<typeof Paging>;

export interface Ordering<Field extends string> {
  field: Field;
  descending: boolean;
}

/**
 * `ordering=-created_at,email`: by the first column, then by the next. A `+` that was not encoded arrives as a space, one
 * that was encoded twice as `%2B`.
 */
export const orderingOf = <const Field extends string>(
  fields: readonly [Field, ...Field[]],
  byDefault: NoInfer<Field | `-${Field}`>,
) => {
  const column = `(?:[-+ ]|%2[Bb])?(?:${fields.join("|")})`;
  const Field = z.enum(fields);
  return z
    .string()
    .regex(new RegExp(`^${column}(?:,${column}){0,${fields.length - 1}}$`), `Order by: ${fields.join(", ")}`)
    .default(byDefault)
    .transform((value) =>
      value.split(",").map((part): Ordering<Field> => {
        const name = part.replace(/^(?:[-+ ]|%2B)/i, "");
        return { field: Field.parse(name), descending: part.startsWith("-") };
      }),
    );
};

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ count: z.int(), next: z.url().nullable(), previous: z.url().nullable(), results: z.array(item) });

export const Search = z.string().trim().max(limits.searchLength).refine(hasNoNul, NUL_REFUSED);

/** Identifies a user in a filter: an e-mail address or a uuid. */
export const Key = z.string().max(limits.emailLength).refine(hasNoNul, NUL_REFUSED);
