/** The paths of a form's fields: "name", "displays.0.width". */
export type FieldPath<Values> = Values extends readonly (infer Item)[]
  ? `${number}` | `${number}.${FieldPath<Item>}`
  : Values extends object
    ? { [Key in keyof Values & string]: Key | `${Key}.${FieldPath<Values[Key]>}` }[keyof Values & string]
    : never;

/** What a field at a path holds. */
export type ValueAt<Values, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? ValueAt<Member<Values, Key>, Rest>
  : Member<Values, Path>;

type Member<Values, Key extends string> = Key extends keyof Values
  ? Values[Key]
  : Values extends readonly (infer Item)[]
    ? Item
    : never;

type Fields = Record<string, unknown>;

/** What stands at a path; undefined if nothing does. */
export const valueAt = (values: unknown, path: string): unknown =>
  path.split(".").reduce((at, key) => (at as Fields | undefined)?.[key], values);

/** A copy with another value at a path. */
export function withValue<Values>(values: Values, path: string, value: unknown): Values {
  const [key = "", ...rest] = path.split(".");
  const inner = rest.length === 0 ? value : withValue((values as Fields)[key], rest.join("."), value);
  if (Array.isArray(values)) return values.with(Number(key), inner) as Values;
  return { ...values, [key]: inner };
}
