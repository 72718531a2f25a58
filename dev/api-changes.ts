type Json = Record<string, unknown>;
interface Operation {
  summary: string;
  parameters: { name: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema?: Json }> };
  responses: Record<string, { content?: Record<string, { schema?: Json }> }>;
}
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
}

/** What those who use the API have to know of a new document: what came, what went, and, in bold, what may break their programs. */
export function apiChanges(before: ApiDocument, after: ApiDocument): string[] {
  const [old, now] = [operationsOf(before), operationsOf(after)];
  const lines: string[] = [];
  /** The operations of each change: most are of several. */
  const changes = new Map<string, string[]>();
  for (const [name, { summary }] of now) if (!old.has(name)) lines.push(`New: \`${name}\`. ${summary}.`);
  for (const [name, was] of old) {
    const is = now.get(name);
    if (!is) lines.push(`**Gone: \`${name}\`.**`);
    else
      for (const change of [
        ...differences(takenBy(was, before), takenBy(is, after), "request"),
        ...differences(answerOf(was, before), answerOf(is, after), "answer"),
      ])
        changes.set(change, [...(changes.get(change) ?? []), name]);
  }
  return [...lines, ...Array.from(changes, ([change, names]) => change.replace("…", () => listed(names)))];
}

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");

const operationsOf = ({ paths }: ApiDocument) =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  );

/** Names of fields, each with whether it has to be there. */
type Fields = Map<string, boolean>;

function takenBy({ parameters, requestBody }: Operation, document: ApiDocument): Fields {
  const fields: Fields = new Map(parameters.map(({ name, required }) => [name, required]));
  for (const { schema } of Object.values(requestBody?.content ?? {})) collect(schema, document, fields);
  return fields;
}

function answerOf({ responses }: Operation, document: ApiDocument): Fields {
  const fields: Fields = new Map();
  for (const [status, { content = {} }] of Object.entries(responses))
    if (status.startsWith("2")) for (const { schema } of Object.values(content)) collect(schema, document, fields);
  return fields;
}

/** All fields of a schema, those of objects within as `object.field`. */
function collect(schema: Json | undefined, document: ApiDocument, fields: Fields, prefix = "", depth = 0): void {
  if (!schema || depth > 8) return;
  const {
    $ref,
    properties = {},
    required = [],
    items,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema as Json & {
    $ref?: string;
    properties?: Record<string, Json>;
    required?: string[];
    items?: Json;
    anyOf?: Json[];
    oneOf?: Json[];
    allOf?: Json[];
  };
  const within = (inner: Json | undefined, name = prefix) => collect(inner, document, fields, name, depth + 1);
  if ($ref) within(document.components.schemas[$ref.split("/").at(-1) ?? ""]);
  for (const [name, inner] of Object.entries(properties)) {
    fields.set(prefix + name, required.includes(name));
    within(inner, `${prefix}${name}.`);
  }
  within(items);
  for (const inner of [...anyOf, ...oneOf, ...allOf]) within(inner);
}

/** Each as a sentence in which the names of the operations are to come for the dots. */
function differences(old: Fields, now: Fields, part: "request" | "answer"): string[] {
  const added = [...now.keys()].filter((field) => !old.has(field));
  const isWithin = (field: string, others: readonly string[]) => others.some((one) => field.startsWith(`${one}.`));
  // What is within something that is new may still be left out with it.
  const needed = [...now].flatMap(([field, isNeeded]) => (isNeeded && !old.get(field) ? [field] : []));
  const breaking = part === "request" ? needed.filter((field) => !isWithin(field, added)) : [];
  const more = added.filter((field) => !isWithin(field, added) && !breaking.includes(field));
  const gone = [...old.keys()].filter((field) => !now.has(field));
  const last = gone.filter((field) => !isWithin(field, gone));
  return [
    ...(more.length > 0 ? [`New in the ${part} of …: ${listed(more)}.`] : []),
    ...(breaking.length > 0 ? [`**Needed in the ${part} of …: ${listed(breaking)}.**`] : []),
    ...(last.length > 0 ? [`**Gone from the ${part} of …: ${listed(last)}.**`] : []),
  ];
}

/** The page of changes with more of them, under the day on which they were made. */
export function withChanges(page: string, lines: readonly string[], day: string): string {
  if (lines.length === 0) return page;
  const text = lines.map((line) => `- ${line}\n`).join("");
  const heading = `## ${day}\n\n`;
  if (page.includes(heading)) return page.replace(heading, () => heading + text);
  const parts = page.split(/(?=^## )/m);
  return [`${parts[0]?.trimEnd()}\n\n`, `${heading}${text}`, ...parts.slice(1).map((part) => `\n${part}`)]
    .join("")
    .replaceAll(/\n{3,}/g, "\n\n");
}
