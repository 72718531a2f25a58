import { errors } from "./errors.ts";
import { operation, webhookItem } from "./openapi-operation.ts";
import { type Tag, tagGroups } from "./openapi-tags.ts";
import { basePath, type Route } from "./routes.ts";
import { webhookData, webhookPayload } from "./webhooks.ts";

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of a contract. The output is deterministic, as the document is checked in. */
export function openApiDocument(
  contract: Record<string, Record<string, Route>>,
  tags: Record<string, Tag>,
  version: string,
): Json {
  const paths: Record<string, Json> = {};
  const groups = groupsOf(tags);
  for (const noun of groups.flatMap(({ tags }) => tags.map(({ name }) => name))) {
    for (const [verb, route] of Object.entries(contract[noun] ?? {})) {
      const path = basePath + route.path.replaceAll(/:(\w+)/g, "{$1}");
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(noun, verb, route) };
    }
  }
  const { document, schemas } = hoistDefinitions(paths);
  return {
    openapi: "3.1.0",
    info: {
      title: "Terrarium",
      version,
      description: INTRODUCTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    tags: groups.flatMap(({ tags }) => tags),
    "x-tagGroups": groups.map(({ name, tags }) => ({ name, tags: tags.map((tag) => tag.name) })),
    paths: document,
    webhooks: webhookItems(),
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "The token that signing in returns. Do not combine it with apiToken.",
        },
        apiToken: { type: "apiKey", in: "header", name: "x-api-token", description: "An API token." },
      },
      headers: {
        RetryAfter: {
          description: "Seconds to wait before the next attempt.",
          schema: { type: "integer", minimum: 1 },
        },
      },
      schemas: { Error: errorSchema, ...schemas },
    },
  };
}

const INTRODUCTION = `\
Every request but the public ones carries a token: \`Authorization: Bearer\` with that of a session, or \`x-api-token\` with an API token. \
Bodies are JSON; fields that are not known are ignored. An error has a code that stays the same, a message for people, and \`request_id\`, \
which every answer has in \`x-request-id\`. A request that was refused for a limit may be repeated after the seconds in \`Retry-After\`. \
In the second half of its day, a session's answers have its next token in \`x-renewed-token\`.`;

interface Group {
  name: string;
  tags: { name: string; "x-displayName": string; description: string }[];
}
/** The nouns in groups, by title; what a group is named after comes first in it. */
const groupsOf = (tags: Record<string, Tag>): Group[] =>
  tagGroups
    .map((name) => ({
      name,
      tags: Object.entries(tags)
        .filter(([, { group }]) => group === name)
        .toSorted(
          ([, a], [, b]) => Number(b.title === name) - Number(a.title === name) || a.title.localeCompare(b.title, "en"),
        )
        .map(([noun, { title, description }]) => ({ name: noun, "x-displayName": title, description })),
    }))
    .filter((group) => group.tags.length > 0);

function webhookItems(): Json {
  const types = Object.keys(webhookData) as (keyof typeof webhookData)[];
  return Object.fromEntries(types.map((type) => [type, webhookItem(type, webhookPayload(type))]));
}

/** Moves the schemas that refer to themselves, by name, to where references in an OpenAPI document find them. */
function hoistDefinitions(paths: Json): { document: Json; schemas: Json } {
  const schemas: Json = {};
  const document = JSON.parse(JSON.stringify(paths), (key, value: unknown) => {
    if (key === "$ref" && typeof value === "string") return value.replace("#/$defs/", "#/components/schemas/");
    if (key !== "$defs") return value;
    Object.assign(schemas, value);
    return undefined;
  }) as Json;
  return { document, schemas };
}

const errorSchema = {
  type: "object",
  required: ["code", "message"],
  properties: {
    code: { type: "string", enum: Object.keys(errors) },
    message: { type: "string" },
    fields: {
      type: "array",
      items: {
        type: "object",
        required: ["field", "message"],
        properties: { field: { type: "string" }, message: { type: "string" } },
      },
    },
    details: { type: "object", additionalProperties: { type: "string" } },
    request_id: { type: "string" },
  },
};
