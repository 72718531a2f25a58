import { ScimError } from "./scim-error.ts";

/** What a filter compares: `userName eq "robin"`. Attributes are in lower case. */
export type Filter = { op: "eq"; attribute: string; value: string | boolean } | { op: "and" | "or"; filters: Filter[] };

const MAX_LENGTH = 2000;
const MAX_COMPARISONS = 50;
const MAX_DEPTH = 10;

const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([\w$][\w$:.-]*)|(\.[\w$]+))/uy;
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

/**
 * Reads a filter (RFC 7644, section 3.4.2.2) of the kind that directories send: `eq`, with `and`, `or` and parentheses. `emails[type eq "work"].value`
 * is `emails.value` where the type is that.
 * @throws ScimError invalidFilter for any other operator, and for what is no filter
 */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_LENGTH) throw refusal("It is too long.");
  const tokens = tokensOf(text);
  let at = 0;
  let comparisons = 0;
  const peek = () => tokens[at]?.toLowerCase();
  const take = () => tokens[at++] ?? "";
  const expect = (wanted: string) => {
    if (take() !== wanted) throw refusal(`“${wanted}” is missing.`);
  };

  const joined = (word: "and" | "or", next: (depth: number) => Filter) => (depth: number) => {
    const filters = [next(depth)];
    while (peek() === word) {
      take();
      filters.push(next(depth));
    }
    return filters.length === 1 && filters[0] ? filters[0] : { op: word, filters };
  };
  const one = (depth: number): Filter => {
    if (depth > MAX_DEPTH || ++comparisons > MAX_COMPARISONS) throw refusal("It has too many parts.");
    if (peek() === "(") {
      take();
      const inner = any(depth + 1);
      expect(")");
      return inner;
    }
    const attribute = take().toLowerCase().replace(CORE, "");
    if (!/^[\w$]/.test(attribute)) throw refusal("An attribute is missing.");
    if (attribute === "not") throw refusal("“not” is not supported.");
    if (peek() !== "[") return compare(attribute);
    take();
    const inner = within(attribute, any(depth + 1));
    expect("]");
    if (!peek()?.startsWith(".")) return inner;
    return { op: "and", filters: [inner, compare(attribute + take().toLowerCase())] };
  };
  const compare = (attribute: string): Filter => {
    const operator = take().toLowerCase();
    if (operator !== "eq") throw refusal(`The operator “${operator}” is not supported; “eq” is.`);
    return { op: "eq", attribute, value: valueOf(take()) };
  };
  const any = joined("or", joined("and", one));

  const filter = any(0);
  if (at < tokens.length) throw refusal(`“${take()}” is not expected.`);
  return filter;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const rest = text.trimEnd();
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < rest.length;) {
    const from = TOKEN.lastIndex;
    const [, bracket, quoted, word, part] = TOKEN.exec(rest) ?? [];
    const token = bracket ?? quoted ?? word ?? part;
    if (token === undefined) throw refusal(`Nothing can be made of it from character ${from + 1} on.`);
    tokens.push(token);
  }
  return tokens;
}

function valueOf(token: string): string | boolean {
  if (/^(?:true|false)$/i.test(token)) return token.toLowerCase() === "true";
  try {
    const value: unknown = JSON.parse(token);
    if (typeof value === "string" && !value.includes("\0")) return value;
  } catch {
    // It is refused below.
  }
  throw refusal("A value is a text in quotes, true or false.");
}

/** `type eq "work"` in the brackets of `emails` is about `emails.type`. */
const within = (attribute: string, filter: Filter): Filter =>
  filter.op === "eq"
    ? { ...filter, attribute: `${attribute}.${filter.attribute}` }
    : { ...filter, filters: filter.filters.map((inner) => within(attribute, inner)) };

/** Whether a thing is what a filter asks for. Texts are compared whatever their case. */
export function matches(filter: Filter, thing: Readonly<Record<string, unknown>>): boolean {
  if (filter.op !== "eq") {
    const parts = filter.filters.map((inner) => matches(inner, thing));
    return filter.op === "and" ? parts.every(Boolean) : parts.some(Boolean);
  }
  const value = thing[filter.attribute];
  return typeof value === "string" && typeof filter.value === "string"
    ? value.toLowerCase() === filter.value.toLowerCase()
    : value === filter.value;
}

const refusal = (detail: string): ScimError =>
  new ScimError(400, "invalidFilter", `The filter is not valid. ${detail}`);
