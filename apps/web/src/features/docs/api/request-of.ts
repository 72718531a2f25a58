import type { Operation } from "./api-document.ts";

/** What somebody has filled in. */
export interface Filled {
  /** By the name of the parameter. */
  values: Readonly<Record<string, string>>;
  body: string;
  file: File | undefined;
}

/** The kind of body that an operation takes: JSON as text, one file as it is, or what only programs send. */
export function bodyOf({ requestBody }: Operation) {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || type.startsWith("multipart/")) return undefined;
  return { type, schema: content?.schema ?? {}, isFile: type !== "application/json" };
}

/** Parameters without which it cannot be sent. */
export const missingOf = ({ parameters }: Operation, { values }: Filled): string[] =>
  parameters.filter(({ name, required }) => required && !values[name]).map(({ name }) => name);

/** The request of an operation, but for the token. */
export function requestOf(operation: Operation, { values, body, file }: Filled, origin: string) {
  const { method, path, parameters } = operation;
  const given = parameters.filter(({ name }) => values[name]);
  const url = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? "")),
    origin,
  );
  const headers: Record<string, string> = {};
  for (const { in: place, name, schema } of given) {
    const value = values[name] ?? "";
    if (place === "header") headers[name] = value;
    // Several, with commas between them.
    const all = schema.items ? value.split(",") : [value];
    if (place === "query") for (const each of all) url.searchParams.append(name, each.trim());
  }
  const kind = bodyOf(operation);
  const content = kind?.isFile ? file : kind && body.trim() ? body : undefined;
  if (kind && content) headers["content-type"] = kind.type;
  return { method, url: url.href, headers, body: content };
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The same for a terminal. */
export function curlOf(operation: Operation, filled: Filled, origin: string): string {
  const { method, url, headers, body } = requestOf(operation, filled, origin);
  const words = [`curl -X ${method} ${quoted(url)}`];
  if (operation.security.some(({ apiToken }) => apiToken)) words.push('-H "x-api-token: $TERRARIUM_API_TOKEN"');
  for (const [name, value] of Object.entries(headers)) words.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (typeof body === "string") words.push(`-d ${quoted(body)}`);
  else if (body) words.push(`--data-binary ${quoted(`@${body.name}`)}`);
  return words.join(" \\\n  ");
}
