import { z } from "zod";
import { ByUuid, Name, Time, Uuid } from "./fields.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";
import { scopes } from "./scopes.ts";

const Expiry = Time.nullable().meta({ description: "Until when it signs in; null for good" });

export const ApiToken = z.object({
  uuid: Uuid,
  description: z.string(),
  prefix: z.string().meta({ description: "How its secret begins; empty for tokens older than this field" }),
  scope: z.enum(scopes).meta({
    description:
      "What it may do of what you may: read; also use devices, recipes and what they are made of; also administer your account, organization and API tokens",
  }),
  created_at: Time,
  expires_at: Expiry,
  last_access: Time.nullable(),
});
export type ApiToken = z.infer<typeof ApiToken>;

export const apiTokensTag = tag("Your account", "API tokens", "Credentials for programs.");

export const apiTokens = routes({
  create: {
    method: "POST",
    path: "/v1/api-tokens",
    summary: "Create an API token; the secret is shown this once",
    access: "member",
    audit: ["api_token.create"],
    scope: "admin",
    body: z.object({
      description: Name,
      scope: ApiToken.shape.scope.default("devices"),
      expires_at: Expiry.default(null),
    }),
    status: 201,
    reply: ApiToken.extend({ token: z.string() }),
    fails: ["API_TOKEN_EXPIRY_PAST", "API_TOKEN_EXISTS", "TOO_MANY_API_TOKENS", "TOO_MANY_REQUESTS"],
  },
  list: {
    method: "GET",
    path: "/v1/api-tokens",
    summary: "Your API tokens, without their secrets",
    access: "member",
    scope: "admin",
    reply: z.object({ api_tokens: z.array(ApiToken) }),
  },
  revoke: {
    method: "DELETE",
    path: "/v1/api-tokens/:uuid",
    summary: "Revoke an API token",
    access: "member",
    audit: ["api_token.revoke"],
    scope: "admin",
    params: ByUuid,
    status: 204,
    fails: ["API_TOKEN_NOT_FOUND"],
  },
});
