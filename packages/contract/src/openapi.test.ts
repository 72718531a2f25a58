import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract, nounTags, openApiDocument, routes, type Tag, tag, webhookEventNames } from "./index.ts";

interface Document {
  paths: Record<string, Record<string, Operation>>;
}
interface Operation {
  operationId: string;
  summary: string;
  security: object[];
  parameters: { in: string; name: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, { schema: object; encoding?: object }> };
  responses: Record<string, { description: string; headers?: object; content?: object }>;
}

const printed = (table: Parameters<typeof openApiDocument>[0], tags: Record<string, Tag>) =>
  openApiDocument(table, tags, "0.0.0") as object as Document;

/** Routes with bodies and replies that are not JSON. */
const files = routes({
  upload: {
    method: "POST",
    audit: { none: "a test" },
    path: "/v1/files/:name",
    summary: "Receives a form",
    access: "member",
    params: z.object({ name: z.string() }),
    body: {
      kind: "form",
      fields: z.object({ title: z.string(), note: z.string().optional() }),
      files: {
        pictures: { min: 1, max: 3, maxBytes: 1000, types: ["image/png", "image/jpeg"] },
        log: { max: 1, maxBytes: 10 },
      },
    },
    status: 201,
  },
  webhook: {
    method: "POST",
    audit: { none: "a test" },
    path: "/v1/webhook",
    summary: "Receives bytes",
    access: "public",
    body: { kind: "raw", types: ["application/json"] },
    status: 204,
  },
  get: {
    method: "GET",
    path: "/v1/files/:name",
    summary: "Returns bytes",
    access: "member",
    params: z.object({ name: z.string() }),
    reply: { kind: "bytes", types: ["text/csv", "application/pdf"] },
  },
  open: {
    method: "GET",
    path: "/v1/open",
    summary: "Redirects",
    access: "public",
    reply: { kind: "redirect", status: 302 },
  },
});

describe("OpenAPI document", () => {
  const document = printed(contract, nounTags);
  const start = document.paths["/cloud/v1/recipes/{uuid}/start-disposable"]?.post;
  const login = document.paths["/cloud/v1/users/login"]?.post;
  const parameter = (path: string, name: string) =>
    document.paths[path]?.get?.parameters.find((each) => each.name === name)?.schema;

  it("has the nouns in groups, by title, and first in each what it is named after", () => {
    const about = tag("Operators", "Zebras", "Animals.");
    const animals = { zebras: about, foxes: { ...about, title: "Foxes" }, operators: { ...about, title: "Operators" } };
    expect(printed({}, { ...animals, recipes: tag("Devices", "Recipes", "Recipes.") })).toMatchObject({
      tags: [
        { name: "recipes", "x-displayName": "Recipes", description: "Recipes." },
        { name: "operators" },
        { name: "foxes" },
        { name: "zebras" },
      ],
      "x-tagGroups": [
        { name: "Devices", tags: ["recipes"] },
        { name: "Operators", tags: ["operators", "foxes", "zebras"] },
      ],
    });
  });

  it.each([
    ["the service", document],
    ["every kind of body and reply", printed({ files }, { files: tag("Devices", "Files", "Files.") })],
  ])("is valid OpenAPI for %s", async (_, one) => {
    expect(await new Validator().validate(JSON.parse(JSON.stringify(one)))).toEqual({ valid: true });
  });

  it("has every route of the contract", () => {
    const operations = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((one) => one.operationId),
    );
    const names = Object.entries(contract).flatMap(([noun, table]) =>
      Object.keys(table).map((verb) => `${noun}.${verb}`),
    );
    expect(new Set(operations)).toEqual(new Set(names));
  });

  it("documents parameters, the body and the error codes", () => {
    expect(start?.parameters).toMatchObject([
      { in: "path", name: "uuid", required: true },
      { in: "header", name: "Idempotency-Key" },
    ]);
    expect(JSON.stringify(start?.requestBody)).toContain("rename_on_conflict");
    expect(start?.responses[403]?.description).toContain("TOO_MANY_RUNNING_VDS");
    expect(start?.responses[422]?.description).toContain("IDEMPOTENCY_KEY_REUSED");
    expect(start?.responses[400]?.description).toContain("INVALID_IDENTIFIER");
    expect(start?.responses[413]?.description).toContain("BODY_TOO_LARGE");
  });

  it("documents Retry-After for 429", () => {
    for (const operation of [start, login])
      expect(operation?.responses[429]?.headers).toEqual({
        "Retry-After": { $ref: "#/components/headers/RetryAfter" },
      });
  });

  it("documents the bounds of pages and the values of filters", () => {
    expect(parameter("/cloud/v2/users", "page")).toEqual({
      type: "integer",
      minimum: 1,
      maximum: 1_000_000,
      default: 1,
    });
    expect(parameter("/cloud/v2/users", "page_size")).toMatchObject({
      anyOf: [{ const: -1 }, { type: "integer", minimum: 1, maximum: 5000 }],
      default: 12,
    });
    expect(parameter("/cloud/v3/recipes", "arch")).toMatchObject({
      type: "array",
      items: { enum: ["arm64", "x86", "x86_64", "all"] },
    });
    expect(parameter("/cloud/v2/instances", "organization_wide")).toEqual({ type: "boolean" });
    expect(parameter("/cloud/v2/users", "ordering")).toMatchObject({ pattern: expect.stringContaining("first_name") });
  });

  it("documents the e-mail format, and which bodies are required", () => {
    expect(login?.requestBody?.content["application/json"]?.schema).toMatchObject({
      properties: { email: { format: "email", maxLength: 254 } },
    });
    expect(login?.requestBody?.required).toBe(true);
    // Old clients send none.
    expect(document.paths["/cloud/v1/instances/access-token"]?.post?.requestBody?.required).toBe(false);
  });

  it("requires one of two credentials, an API token with a scope, and none for public routes", () => {
    expect(start?.security).toEqual([{ bearer: [] }, { apiToken: ["devices"] }]);
    for (const path of ["/cloud/v1/settings", "/cloud/openapi.json"]) {
      expect(document.paths[path]?.get?.security).toEqual([]);
      expect(document.paths[path]?.get?.summary).toContain("without a token");
    }
  });

  it("documents what webhooks are sent", () => {
    const { webhooks } = document as object as { webhooks: Record<string, { post: Operation }> };
    expect(Object.keys(webhooks)).toEqual([...webhookEventNames, "webhook.test"]);
    const { requestBody, parameters } = webhooks["instance.started"]?.post ?? {};
    expect(requestBody?.content["application/json"]?.schema).toMatchObject({
      properties: { type: { const: "instance.started" }, data: { properties: { state: {}, revision: {} } } },
    });
    expect(parameters?.map(({ name }) => name)).toContain("webhook-signature");
  });

  it("documents bodies and replies that are not JSON", () => {
    const { paths } = printed({ files }, { files: tag("Devices", "Files", "Files.") });
    const form = paths["/cloud/v1/files/{name}"]?.post?.requestBody;
    expect(form).toMatchObject({
      required: true,
      content: {
        "multipart/form-data": {
          schema: {
            required: ["title", "pictures"],
            properties: { title: { type: "string" }, pictures: { type: "array", minItems: 1, maxItems: 3 } },
          },
          encoding: { pictures: { contentType: "image/png, image/jpeg" } },
        },
      },
    });
    expect(paths["/cloud/v1/webhook"]?.post?.requestBody).toEqual({
      required: true,
      content: { "application/json": { schema: { type: "object" } } },
    });
    expect(Object.keys(paths["/cloud/v1/files/{name}"]?.get?.responses[200]?.content ?? {})).toEqual([
      "text/csv",
      "application/pdf",
    ]);
    expect(paths["/cloud/v1/open"]?.get?.responses[302]?.headers).toHaveProperty("Location");
  });
});
