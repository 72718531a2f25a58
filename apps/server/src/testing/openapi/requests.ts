import fc from "fast-check";
import { type Operation, type Parameter, resolved, type Schema } from "./document.ts";
import { type Known, spoiledOf, valueOf } from "./values.ts";

/** A request as the document describes it, or nearly. */
export interface Request {
  /** What was made wrong; undefined if the document admits all of it. */
  wrong?: "path" | "query" | "headers" | "body" | "type" | undefined;
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer | undefined;
  /** The body before it was written, if it is JSON. */
  body?: unknown;
}

type Values = Record<string, unknown>;
type Part = "path" | "query" | "header";

/** Requests for an operation, about half of which are as the document wants them. */
export function requestsFor(operation: Operation, known: Known): fc.Arbitrary<Request> {
  const { parameters, requestBody } = operation;
  const of = (place: Part) => parameters.filter((one) => one.in === place);
  const wrongs = [
    ...(of("path").length > 0 ? (["path"] as const) : []),
    ...(of("query").length > 0 ? (["query"] as const) : []),
    ...(of("header").length > 0 ? (["headers"] as const) : []),
    ...(requestBody ? (["body", "body", "body", "type"] as const) : []),
  ];
  const none = { weight: 5, arbitrary: fc.constant(undefined) };
  const which =
    wrongs.length > 0 ? fc.oneof(none, { weight: 4, arbitrary: fc.constantFrom(...wrongs) }) : fc.constant(undefined);
  return which.chain((wrong) =>
    fc
      .record({
        path: pathOf(operation, known, wrong === "path"),
        query: valuesOf(of("query"), known, wrong === "query"),
        headers: valuesOf(of("header"), known, wrong === "headers"),
        body: bodyOf(operation, known, wrong),
      })
      .map(({ path, query, headers, body }) => ({
        wrong,
        url: path + queryOf(query),
        headers: { ...headersOf(headers), ...body.headers },
        payload: body.payload,
        body: body.body,
      })),
  );
}

const valuesOf = (parameters: readonly Parameter[], known: Known, isSpoiled: boolean): fc.Arbitrary<Values> => {
  const schema: Schema = {
    type: "object",
    properties: Object.fromEntries(parameters.map((one) => [one.name, one.schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  return (isSpoiled ? spoiledOf(schema, known) : valueOf(schema, known)) as fc.Arbitrary<Values>;
};

/** The path with a value for each parameter, which is known by what stands before it. */
function pathOf({ path, parameters }: Operation, known: Known, isSpoiled: boolean): fc.Arbitrary<string> {
  const parts = path.split("/").map((part, index, all) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const schema = parameters.find((one) => one.in === "path" && one.name === name)?.schema;
    if (!schema) return fc.constant(part);
    const value = isSpoiled ? spoiledOf(schema, known, all[index - 1]) : valueOf(schema, known, all[index - 1]);
    // What is empty, or points, makes another path.
    return value.map((one) => encoded(textOf(one) ?? "").replace(/^(|\.|\.\.)$/, "x"));
  });
  return fc.tuple(...parts).map((all) => all.join("/"));
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** What stands alone of a pair of surrogates cannot be encoded. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

/** Arrays are repeated. */
function queryOf(values: unknown): string {
  if (typeof values !== "object" || values === null) return `?${encoded(textOf(values) ?? "")}`;
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}=${encoded(textOf(one) ?? "")}`),
  );
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
}

/** Without what no client can send. */
const headersOf = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((values ?? {}) as Values).map(([name, value]) => [
      name.toLowerCase(),
      (textOf(value) ?? "").replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 4000),
    ]),
  );

interface Written {
  headers: Record<string, string>;
  payload?: string | Buffer;
  body?: unknown;
}
function bodyOf({ requestBody }: Operation, known: Known, wrong: Request["wrong"]): fc.Arbitrary<Written> {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!requestBody || !type || !content) return fc.constant({ headers: {} });
  if (wrong === "type") return fc.constantFrom(...notOf(type));
  if (type === "multipart/form-data") return formOf(content.schema, known, wrong === "body");
  if (
    type !== "application/json" ||
    (!resolved(content.schema).properties && resolved(content.schema).type === "object")
  )
    return fc
      .string({ maxLength: 200 })
      .map((text) => ({ headers: { "content-type": type }, payload: text || "bytes" }));
  const value = wrong === "body" ? spoiledOf(content.schema, known) : valueOf(content.schema, known);
  return value.map((body) => ({
    headers: { "content-type": "application/json" },
    payload: body === undefined ? "" : JSON.stringify(body),
    body,
  }));
}

/** Bodies that are of another kind than the operation takes, or of none. */
const notOf = (type: string): Written[] => [
  { headers: {} },
  { headers: { "content-type": type }, payload: "" },
  { headers: { "content-type": type }, payload: "{" },
  { headers: { "content-type": type }, payload: Buffer.from([0xff, 0xfe, 0x00, 0x80]) },
  { headers: { "content-type": type }, payload: '{"__proto__":{"x":1},"constructor":{"prototype":{}}}' },
  { headers: { "content-type": type }, payload: "[".repeat(20_000) },
  { headers: { "content-type": type }, payload: `"${"x".repeat(300_000)}"` },
  { headers: { "content-type": "text/plain" }, payload: "text" },
  { headers: { "content-type": "application/json; charset=utf-16" }, payload: "{}" },
  { headers: { "content-type": "multipart/form-data; boundary=x" }, payload: "--x\r\n" },
  { headers: { "content-type": "multipart/form-data" }, payload: "--x--" },
  { headers: { "content-type": "nonsense" }, payload: "x" },
  { headers: { "content-type": type, "content-encoding": "gzip" }, payload: "{}" },
];

const BOUNDARY = "a-boundary-of-the-tests";
function formOf(schema: Schema, known: Known, isSpoiled: boolean): fc.Arbitrary<Written> {
  const value = (isSpoiled ? spoiledOf(schema, known) : valueOf(schema, known)) as fc.Arbitrary<Values | null>;
  return value.map((values) => {
    const parts = Object.entries(values ?? {}).flatMap(([name, given]) =>
      [given].flat().map((one) => {
        const file = Array.isArray(given) ? '; filename="one.csv"\r\ncontent-type: text/csv' : "";
        return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${textOf(one) ?? ""}\r\n`;
      }),
    );
    return {
      headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
      payload: `${parts.join("")}--${BOUNDARY}--\r\n`,
    };
  });
}
