import { limits } from "./limits.ts";

/** The messages for broken rules. `{{min}}` and `{{max}}` are replaced by the rule's numbers. */
export const fieldMessages = {
  required: "Required",
  email: "Use a valid email address",
  minLength: "Use {{min}} characters or more",
  maxLength: "Use up to {{max}} characters",
  letter: "Use at least one letter",
  number: "Use at least one number",
  invisible: "Use characters that can be seen",
  notNumber: "Must be a number",
  notInteger: "Must be an integer",
  tooSmall: "Must be at least {{min}}",
  tooLarge: "Must be at max {{max}}",
  oneDisplay: "Requires only 1 display.",
  twoDisplays: "Requires 2 displays.",
  manyDisplays: "Requires at least 2 displays.",
  mostDisplays: "Requires at most {{max}} displays.",
  ascii: "Use letters, digits and signs of ASCII",
  word: "Use letters, digits, dots, hyphens and underscores",
  tags: "Use tags of letters and digits, with commas between them",
  buildType: "Use user, userdebug or eng",
  origin: "Use https:// and a host name, such as https://portal.example.com",
  webAddress: "Use a web address without a password, such as https://ci.example.com/hook",
  heapSize: "Use 10 to 9999 MB, such as 256m",
} as const;

/** One of the messages with its numbers. */
export interface RuleMessage {
  says: keyof typeof fieldMessages;
  min?: number;
  max?: number;
}

/** What is wrong: one of the messages, or a sentence of the field's own. */
export type BrokenRule = RuleMessage | { message: string };

/**
 * Returns what is wrong with a field's value, if anything. Forms and the server share these rules. They do not use the schema library,
 * so that pages with forms need not load it.
 */
export type FieldRule<Value = string> = (value: Value) => BrokenRule | undefined;

/** True for a string that is not blank, and for a finite number. */
export const isGiven = (value: unknown): boolean =>
  typeof value === "string" ? value.trim() !== "" : typeof value === "number" && Number.isFinite(value);

/** What browsers accept as an address (HTML, "valid email address"), with a dot in the domain. No flags: the OpenAPI document prints it. */
export const emailPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?(?:\.[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?)+$/;

export const required: FieldRule<unknown> = (value) => (isGiven(value) ? undefined : { says: "required" });

/** Accepts an address or an empty value, since `required` is a separate rule. Surrounding spaces are ignored. */
export const email: FieldRule = (value) => {
  const address = value.trim();
  const isEmail = address.length <= limits.emailLength && emailPattern.test(address);
  return address === "" || isEmail ? undefined : { says: "email" };
};

/** The origin of pages on the web, as browsers send it: TLS, a host, perhaps a port, and nothing else. No pattern, no `null`. */
export const origin: FieldRule = (value) => {
  const url = value.length <= limits.textLength && URL.canParse(value) ? new URL(value) : undefined;
  const isOrigin = url?.protocol === "https:" && url.origin === value && !url.hostname.includes("*");
  return isOrigin ? undefined : { says: "origin" };
};

/** Where something can be posted: http or https, without a name and password, which logs would show, and without a fragment. */
export const webAddress: FieldRule = (value) => {
  const url = value.length <= limits.routeLength && URL.canParse(value) ? new URL(value) : undefined;
  const isWeb = url !== undefined && ["https:", "http:"].includes(url.protocol);
  return isWeb && !url.username && !url.password && !url.hash && !HIDDEN.test(value)
    ? undefined
    : { says: "webAddress" };
};

/** For texts, and for lists too. `message` takes the place of the one about characters. */
export const minLength =
  (min: number, message?: string): FieldRule<string | readonly unknown[]> =>
  (value) => {
    if (value.length >= min) return undefined;
    return message === undefined ? { says: "minLength", min } : { message };
  };

export const maxLength =
  (max: number): FieldRule =>
  (value) =>
    value.length > max ? { says: "maxLength", max } : undefined;

/** Rules for numbers take what was typed as well; an empty value obeys them, since `required` is a separate rule. */
type NumberRule = FieldRule<string | number>;
const isBlank = (value: string | number): boolean => typeof value === "string" && value.trim() === "";

const isNumeric: NumberRule = (value) =>
  isBlank(value) || Number.isFinite(Number(value)) ? undefined : { says: "notNumber" };

export const isInteger: NumberRule = (value) =>
  isNumeric(value) ?? (isBlank(value) || Number.isInteger(Number(value)) ? undefined : { says: "notInteger" });

/** A number from `min` to `max`. */
export const within =
  ({ min, max }: { min: number; max: number }): NumberRule =>
  (value) => {
    if (isBlank(value)) return undefined;
    if (Number(value) < min) return { says: "tooSmall", min };
    return Number(value) > max ? { says: "tooLarge", max } : isNumeric(value);
  };

/** What shows nothing, changes the direction of what follows, or is half a character, which the database would replace. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Selectors and joiners where they change what is seen: in emoji, and in Arabic and Indic scripts. */
const SEEN = new RegExp(
  [
    /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?)\uFE0F/u,
    /(?<=[\d#*])\uFE0F(?=\u20E3)/u,
    /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})/u,
    /(?<=(?!\p{Script=Inherited})[\p{Script=Arabic}\p{M}])[\u200C\u200D](?=\p{L})/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

/** No zero-width, direction-changing or control characters: with one, a name may look like another or break a line. */
export const visible: FieldRule = (value) =>
  HIDDEN.test(value.replaceAll(SEEN, "")) ? { says: "invisible" } : undefined;

/** For new passwords only: existing ones may be older than a rule. */
export const passwordRules: readonly FieldRule[] = [
  minLength(limits.passwordMinLength),
  maxLength(limits.passwordMaxLength),
  (value) => (/\p{L}/u.test(value) ? undefined : { says: "letter" }),
  (value) => (/\p{N}/u.test(value) ? undefined : { says: "number" }),
];

/** The first rule that a value breaks, if any. */
export function firstBroken<Value>(rules: readonly FieldRule<Value>[], value: Value): BrokenRule | undefined {
  for (const rule of rules) {
    const broken = rule(value);
    if (broken) return broken;
  }
  return undefined;
}

/** The message for a broken rule, in English. */
export const sayBroken = (broken: BrokenRule): string =>
  "message" in broken
    ? broken.message
    : fieldMessages[broken.says].replaceAll(/\{\{(min|max)\}\}/g, (_, name: "min" | "max") => String(broken[name]));
