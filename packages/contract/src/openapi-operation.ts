import { z } from "zod";
import { type ErrorCode, errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { type Body, type FormBody, isJson } from "./payloads.ts";
import type { Route } from "./routes.ts";
import { scopeOf } from "./scopes.ts";

type Json = Record<string, unknown>;

/** The OpenAPI operation object of a route. */
export function operation(noun: string, verb: string, route: Route): Json {
  return {
    operationId: `${noun}.${verb}`,
    tags: [noun],
    summary: route.summary,
    // Either of the two, an API token with at least this scope; public routes need neither, and those for operators a session.
    security: securityOf(route),
    // Which of those it is for.
    "x-access": route.access,
    parameters: [
      ...parameters("path", route.params),
      ...parameters("query", route.query),
      ...parameters("header", route.headers).filter(({ name }) => !ofTheWay.test(String(name))),
      ...(route.idempotent ? [idempotencyKey] : []),
    ],
    ...(route.body ? { requestBody: requestBody(route.body) } : {}),
    responses: { ...success(route), ...failures(route), default: answer("Any other error", "Error") },
  };
}

function securityOf(route: Route): Json[] {
  if (route.access === "public") return [];
  return route.access === "operator" ? [{ bearer: [] }] : [{ bearer: [] }, { apiToken: [scopeOf(route)] }];
}

/** Headers that say which way a request came. Clients and proxies write them by themselves; nobody sets them by hand. */
const ofTheWay = /^(host|forwarded|x-forwarded-.*)$/;

const idempotencyKey = {
  in: "header",
  name: "Idempotency-Key",
  required: false,
  description: "A request that repeats the key of an earlier one gets that one's reply and has no further effect.",
  schema: { type: "string", minLength: 1, maxLength: limits.idempotencyKeyLength, pattern: "^[\\x21-\\x7e]+$" },
};

function parameters(place: "path" | "query" | "header", schema: z.ZodObject | undefined): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = objectSchemaOf(schema);
  return Object.entries(properties).map(([name, property]) => ({
    in: place,
    name,
    required: place === "path" || required.includes(name),
    schema: property,
  }));
}

function requestBody(body: Body): Json {
  // A body that may be an empty object may also be omitted.
  if (isJson(body))
    return {
      required: !body.safeParse({}).success,
      content: { "application/json": { schema: schemaOf(body, "input") } },
    };
  if (body.kind !== "form") return { required: true, content: Object.fromEntries(body.types.map(contentOf)) };
  return { required: true, content: { "multipart/form-data": formSchema(body) } };
}

/** OpenAPI 3.1 needs no schema for bytes, but without one, generators leave the route out. */
const bytes = { schema: { type: "string", format: "binary" } };
const contentOf = (type: string): [string, Json] => {
  // What is passed on byte for byte, and yet is JSON.
  if (type === "application/json") return [type, { schema: { type: "object" } }];
  return [type, type.startsWith("text/") ? { schema: { type: "string" } } : bytes];
};

function formSchema({ fields, files }: FormBody): Json {
  const { properties = {}, required = [] } = objectSchemaOf(fields);
  const entries = Object.entries(files);
  const arrays = entries.map(([name, { min = 0, max, maxBytes }]) => {
    const description = `At most ${maxBytes} bytes each`;
    return [name, { type: "array", minItems: min, maxItems: max, items: bytes.schema, description }];
  });
  const needed = entries.filter(([, { min = 0 }]) => min > 0).map(([name]) => name);
  const typed = entries
    .filter(([, { types }]) => types)
    .map(([name, { types = [] }]) => [name, { contentType: types.join(", ") }]);
  return {
    schema: {
      type: "object",
      properties: { ...properties, ...Object.fromEntries(arrays) },
      required: [...required, ...needed],
    },
    ...(typed.length > 0 ? { encoding: Object.fromEntries(typed) } : {}),
  };
}

function success({ reply, status = 200 }: Route): Json {
  if (!reply) return { [status]: { description: "Done" } };
  if (isJson(reply))
    return {
      [status]: { description: "Done", content: { "application/json": { schema: schemaOf(reply, "output") } } },
    };
  if (reply.kind === "bytes")
    return {
      [status]: {
        description: "Done",
        headers: headersOf({
          "Content-Disposition": "The name of the file, where it is one to save",
          ...reply.headers,
        }),
        content: Object.fromEntries(reply.types.map(contentOf)),
      },
    };
  const location = { type: "string", format: "uri-reference" };
  return {
    [reply.status]: { description: "Redirect", headers: { Location: { required: true, schema: location } } },
    200: {
      description: "The target of the redirect, if only JSON is accepted",
      content: { "application/json": { schema: { type: "object", required: ["location"], properties: { location } } } },
    },
  };
}

const headersOf = (headers: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
  );

/** One response per status, which lists all codes with that status. */
function failures(route: Route): Json {
  const byStatus = Map.groupBy(new Set(failuresOf(route)), (code) => errors[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, list]) => [
        String(status),
        {
          ...answer(list.map((code) => `\`${code}\`: ${errors[code].message}`).join(" "), "Error"),
          ...(status === 429 ? { headers: { "Retry-After": { $ref: "#/components/headers/RetryAfter" } } } : {}),
        },
      ]),
  );
}

/** All error codes of a route: those it declares, and those that its parts imply. */
function* failuresOf(route: Route): Generator<ErrorCode> {
  const { fails = [], params, query, headers, body, access, ownPagesOnly, idempotent } = route;
  yield* fails;
  if (ownPagesOnly) yield "ORIGIN_NOT_ALLOWED";
  if (params || query || headers || body) yield "invalid_request";
  if ([params, query, body].some(hasIdentifier)) yield "INVALID_IDENTIFIER";
  if (body) yield* ["BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const;
  if (idempotent) yield "IDEMPOTENCY_KEY_REUSED";
  if (access === "public") return;
  yield* ["BOTH_CREDENTIALS", "NOT_AUTHENTICATED"] as const;
  if (access === "operator") {
    yield "ROUTE_NOT_FOUND";
    return;
  }
  if (scopeOf(route) !== "read") yield "API_TOKEN_NOT_SCOPED";
  // Operators may use nothing of a customer.
  if (access !== "signed-in") yield* ["TERMS_NOT_ACCEPTED", "FORBIDDEN"] as const;
}

/** Whether a part of a request holds an identifier anywhere; one that is malformed has a code of its own. */
const hasIdentifier = (part: Body | undefined): boolean => {
  if (!part || (!isJson(part) && part.kind !== "form")) return false;
  const schema = isJson(part) ? part : part.fields;
  return JSON.stringify(schemaOf(schema, "input")).includes('"format":"uuid"');
};

const answer = (description: string, schema: string): Json => ({
  description,
  content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
});

function objectSchemaOf(schema: z.ZodObject): { properties?: Record<string, Json>; required?: string[] } {
  return schemaOf(schema, "input");
}

/** The OpenAPI path item of a webhook: what the receiver is sent, and what it answers. */
export const webhookItem = (type: string, payload: z.ZodType): Json => ({
  post: {
    operationId: `webhook.${type}`,
    tags: ["webhooks"],
    summary: `Sent to your webhooks for ${type}; docs/WEBHOOKS.md says how to verify it`,
    security: [],
    parameters: ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => ({
      in: "header",
      name,
      required: true,
      schema: { type: "string" },
    })),
    requestBody: { required: true, content: { "application/json": { schema: schemaOf(payload, "output") } } },
    responses: { "2XX": { description: "Accepted; any other answer is tried again" } },
  },
});

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any", override: withoutSafeBounds });
  return json;
}

/** Zod bounds every integer by JavaScript's safe range, which is noise in the document. */
function withoutSafeBounds({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
