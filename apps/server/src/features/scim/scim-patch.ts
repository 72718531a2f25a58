import { z } from "zod";
import { type Filter, parseFilter } from "./scim-filter.ts";
import { ScimError } from "./scim-error.ts";

const MAX_OPERATIONS = 1000;

/**
 * A body with the names of its attributes in lower case, as they are the same in any case (RFC 7643, section 2.1). Values stay as they are. What is
 * nested deeper than anything that we read is dropped.
 */
export function foldNames(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return depth > 8 ? [] : value.map((item) => foldNames(item, depth + 1));
  if (value === null || typeof value !== "object") return value;
  if (depth > 8) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.toLowerCase(), foldNames(inner, depth + 1)]),
  );
}

const Patch = z.object({
  operations: z
    .array(z.object({ op: z.string(), path: z.string().max(2000).nullish(), value: z.unknown().optional() }))
    .min(1)
    .max(MAX_OPERATIONS),
});

/** One change of one attribute. Names are in lower case; an `add` to what is single replaces it. */
export interface Step {
  op: "add" | "replace" | "remove";
  attribute: string;
  /** Which of several values. */
  filter?: Filter | undefined;
  /** The part of the attribute: `familyname`. */
  part?: string | undefined;
  value: unknown;
}

const PATH = /^([a-z$][\w$-]*)(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/is;
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/** What the service gives, and nobody sets. */
const readOnly: ReadonlySet<string> = new Set(["id", "meta", "schemas", "groups"]);

/**
 * Reads a PATCH (RFC 7644, section 3.5.2) into changes of single attributes, in their order. It takes what Entra sends too: operations in
 * any case, and values without a path whose names are paths.
 * @throws ScimError invalidSyntax, invalidPath, invalidFilter, noTarget, mutability; ZodError
 */
export function stepsOf(body: unknown): Step[] {
  return Patch.parse(foldNames(body)).operations.flatMap(({ op: given, path, value }) => {
    const op = given.toLowerCase();
    if (op !== "add" && op !== "replace" && op !== "remove")
      throw new ScimError(400, "invalidSyntax", `“${given}” is no operation: use add, replace or remove.`);
    if (path) return steps(op, path, value, true);
    if (op === "remove") throw new ScimError(400, "noTarget", "What is to be removed needs a path.");
    if (value === null || typeof value !== "object" || Array.isArray(value))
      throw new ScimError(400, "invalidValue", "Without a path, the value is an object with attributes.");
    // Okta sends the identifier along, which stays as it is.
    return Object.entries(value).flatMap(([name, inner]) => steps(op, name, inner, false));
  });
}

/** None for what is no attribute of ours: directories send many that other services know. */
function steps(op: Step["op"], path: string, value: unknown, isNamed: boolean): Step[] {
  const own = path.replace(CORE, "");
  if (/^urn:/i.test(own)) return [];
  const [, name = "", inBrackets, part] = PATH.exec(own) ?? [];
  if (name === "") throw new ScimError(400, "invalidPath", `“${path}” is no path.`);
  const attribute = name.toLowerCase();
  if (readOnly.has(attribute)) {
    if (isNamed) throw new ScimError(400, "mutability", `“${name}” cannot be changed.`);
    return [];
  }
  const filter = inBrackets === undefined ? undefined : parseFilter(inBrackets);
  return [{ op, attribute, filter, part: part?.toLowerCase(), value }];
}
