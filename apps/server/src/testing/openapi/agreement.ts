import { errors } from "@terrarium/contract";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { LightMyRequestResponse } from "fastify";
import { document, type Operation, pointer, type Response } from "./document.ts";
import type { Request } from "./requests.ts";

const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
formats.default(ajv);
// Bytes are whatever they are.
ajv.addFormat("binary", true);
ajv.addSchema(document, "document");

const compiled = new Map<string, ValidateFunction>();
/** The first fault of a value that its schema finds; undefined if there is none. */
function faultOf(value: unknown, at: readonly string[]): string | undefined {
  const where = pointer(...at);
  let validate = compiled.get(where);
  if (!validate) compiled.set(where, (validate = ajv.compile({ $ref: `document${where}` })));
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  const place = (first?.instancePath ?? "").replaceAll(/\/\d+/g, "/0");
  return `${place} ${first?.message ?? ""} ${JSON.stringify(first?.params)}`;
}

/** What every answer of the service may have; docs/ERRORS.md and the page of the API say what of it concerns clients. */
const ofEveryAnswer =
  /^(access-control-.*|cache-control|connection|content-(length|type|security-policy)|cross-origin-.*|date|origin-agent-cluster|referrer-policy|strict-transport-security|transfer-encoding|vary|x-(content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|xss-protection|request-id|renewed-token))$/;

/** Whether the document admits the body of a request; bodies that are not JSON are not looked into. */
function isAdmitted({ path, method }: Operation, { body }: Request): boolean {
  if (body === undefined) return true;
  const sent: unknown = JSON.parse(JSON.stringify(body));
  return (
    faultOf(sent, ["paths", path, method.toLowerCase(), "requestBody", "content", "application/json", "schema"]) ===
    undefined
  );
}

/** Everything in an answer that the document does not say, in words that are the same for equal faults. */
export function* disagreements(
  operation: Operation,
  request: Request,
  answer: LightMyRequestResponse,
): Generator<string> {
  const { statusCode, headers, rawPayload } = answer;
  const status = String(statusCode);
  if (statusCode >= 500 && status !== "503") yield `answers ${status}`;
  const code = codeOf(answer);
  const said = operation.responses[status];
  if (!said) return yield `answers ${status} ${code}, which is not listed`;
  if (statusCode >= 400) {
    if (!said.description.includes(`\`${code}\``)) yield `answers ${status} ${code}, a code that is not listed`;
    if (errors[code as keyof typeof errors]?.status !== statusCode) yield `answers ${code} with ${status}`;
  }
  yield* faultsOfHeaders(said, headers, status);
  if (statusCode < 300 && !isAdmitted(operation, request)) yield `takes a body that the document refuses`;

  if (!said.content) {
    if (rawPayload.length > 0) yield `answers ${status} with a body, which is not listed`;
    return undefined;
  }
  const type = String(headers["content-type"]).replace(/;.*/, "");
  if (!(type in said.content)) return yield `answers ${status} as ${type}, which is not listed`;
  if (type !== "application/json") return undefined;
  const at = ["paths", operation.path, operation.method.toLowerCase(), "responses", status, "content", type, "schema"];
  const fault = faultOf(answer.json(), at);
  if (fault) yield `answers ${status} with another body: ${fault}`;
  return undefined;
}

function* faultsOfHeaders(
  said: Response,
  headers: LightMyRequestResponse["headers"],
  status: string,
): Generator<string> {
  const named = new Set(Object.keys(said.headers ?? {}).map((name) => name.toLowerCase()));
  for (const [name, { required }] of Object.entries(said.headers ?? {}))
    if (required && headers[name.toLowerCase()] === undefined) yield `answers ${status} without ${name}`;
  if (status === "429" && headers["retry-after"] === undefined) yield "answers 429 without Retry-After";
  for (const name of Object.keys(headers))
    if (!named.has(name) && !ofEveryAnswer.test(name))
      yield `answers ${status} with the header ${name}, which is not listed`;
}

function codeOf({ body }: LightMyRequestResponse): string {
  try {
    return String((JSON.parse(body) as { code?: string }).code);
  } catch {
    return "without a code";
  }
}
