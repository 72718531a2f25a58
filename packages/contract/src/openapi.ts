import { z } from "zod";
import { type ErrorCode, errors } from "./errors.ts";
import { basePath, type Route } from "./routes.ts";

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of a table of routes, by noun. The same table always gives the same document. */
export function openApiDocument(contract: Record<string, Record<string, Route>>, version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [noun, table] of Object.entries(contract)) {
    for (const [verb, route] of Object.entries(table)) {
      const path = basePath + route.path.replaceAll(/:(\w+)/g, "{$1}");
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(noun, verb, route) };
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Terrarium", version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    security: [{ bearer: [] }, { apiToken: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        apiToken: { type: "apiKey", in: "header", name: "x-api-token" },
      },
      schemas: {
        Error: {
          type: "object",
          required: ["code", "message"],
          properties: { code: { enum: Object.keys(errors) }, message: { type: "string" } },
        },
      },
    },
  };
}

function operation(noun: string, verb: string, route: Route): Json {
  const status = String(route.status ?? 200);
  return {
    operationId: `${noun}.${verb}`,
    tags: [noun],
    summary: route.summary,
    ...(route.access === "public" ? { security: [] } : {}),
    parameters: [
      ...parameters("path", route.params),
      ...parameters("query", route.query),
      ...(route.idempotent
        ? [{ in: "header", name: "Idempotency-Key", required: false, schema: { type: "string", maxLength: 255 } }]
        : []),
    ],
    ...(route.body
      ? { requestBody: { content: { "application/json": { schema: schemaOf(route.body, "input") } } } }
      : {}),
    responses: {
      [status]: route.reply
        ? { description: "Done", content: { "application/json": { schema: schemaOf(route.reply, "output") } } }
        : { description: "Done" },
      ...failures(route),
    },
  };
}

/** Codes that share a status share an answer. */
function failures(route: Route): Json {
  const codes: ErrorCode[] = [...(route.fails ?? [])];
  if (route.params || route.query || route.body) codes.push("invalid_request");
  if (route.access !== "public") codes.push("NOT_AUTHENTICATED");
  if (route.access !== "public" && route.access !== "signed-in") codes.push("TERMS_NOT_ACCEPTED");
  if (route.access === "member" || route.access === "manager") codes.push("FORBIDDEN");
  const byStatus = Map.groupBy(new Set(codes), (code) => errors[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, list]) => [
        String(status),
        {
          description: list.map((code) => `\`${code}\`: ${errors[code].message}`).join(" "),
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      ]),
  );
}

function parameters(place: "path" | "query", schema: z.ZodObject | undefined): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    in: place,
    name,
    required: place === "path" || required.includes(name),
    schema: property,
  }));
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
}
