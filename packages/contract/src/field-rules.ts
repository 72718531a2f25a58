import { limits } from "./limits.ts";

/** What a person is told of a field, by what is wrong with it. `{{min}}` and `{{max}}` stand for the numbers of the rule. */
export const fieldMessages = {
  required: "Required",
  email: "Use a valid email address",
  minLength: "Use {{min}} characters or more",
  maxLength: "Use up to {{max}} characters",
  letter: "Use at least one letter",
  number: "Use at least one number",
} as const;

export interface BrokenRule {
  says: keyof typeof fieldMessages;
  min?: number;
  max?: number;
}

/**
 * Says what is wrong with what was given for a field, or nothing. Forms and the service hold the same rules; they need no
 * schema library, so that a page with a form does not load one.
 */
export type FieldRule<Value = string> = (value: Value) => BrokenRule | undefined;

/** Something was given: a string that is not blank, or a finite number. */
export const isGiven = (value: unknown): boolean =>
  typeof value === "string" ? value.trim() !== "" : typeof value === "number" && Number.isFinite(value);

/** What browsers take for an address (HTML, "valid email address"), with a dot in its domain. No flags: the OpenAPI document prints it. */
export const emailPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?(?:\.[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?)+$/;

export const required: FieldRule<unknown> = (value) => (isGiven(value) ? undefined : { says: "required" });

/** An address, or nothing at all: whether one must be given is another rule. Spaces around it do not count. */
export const email: FieldRule = (value) => {
  const address = value.trim();
  const isEmail = address.length <= limits.emailLength && emailPattern.test(address);
  return address === "" || isEmail ? undefined : { says: "email" };
};

export const minLength =
  (min: number): FieldRule =>
  (value) =>
    value.length < min ? { says: "minLength", min } : undefined;

export const maxLength =
  (max: number): FieldRule =>
  (value) =>
    value.length > max ? { says: "maxLength", max } : undefined;

/** What a new password must be. One that exists is only asked for: it may be older than a rule. */
export const passwordRules: readonly FieldRule[] = [
  minLength(limits.passwordMinLength),
  maxLength(limits.passwordMaxLength),
  (value) => (/\p{L}/u.test(value) ? undefined : { says: "letter" }),
  (value) => (/\p{N}/u.test(value) ? undefined : { says: "number" }),
];

/** The first rule that a value breaks. */
export function firstBroken<Value>(rules: readonly FieldRule<Value>[], value: Value): BrokenRule | undefined {
  for (const rule of rules) {
    const broken = rule(value);
    if (broken) return broken;
  }
  return undefined;
}

/** A broken rule as a sentence, in the language of the service. */
export const sayBroken = ({ says, ...numbers }: BrokenRule): string =>
  fieldMessages[says].replaceAll(/\{\{(min|max)\}\}/g, (_, name: "min" | "max") => String(numbers[name]));
