import { z } from "zod";
import { ByUuid, Name, Time, Uuid } from "./fields.ts";
import { routes } from "./routes.ts";

export const ApiToken = z.object({
  uuid: Uuid,
  description: z.string(),
  created_at: Time,
  last_access: Time.nullable(),
  can_manage_tokens: z.boolean().meta({ description: "Whether it may create and revoke API tokens" }),
});
export type ApiToken = z.infer<typeof ApiToken>;

export const apiTokens = routes({
  create: {
    method: "POST",
    path: "/v1/api-tokens",
    summary: "Create an API token; the secret is shown this once",
    access: "member",
    body: z.object({
      description: Name,
      can_manage_tokens: z
        .boolean()
        .default(false)
        .meta({ description: "Whether it may create and revoke API tokens" }),
    }),
    status: 201,
    reply: ApiToken.extend({ token: z.string() }),
    fails: ["API_TOKEN_NOT_SCOPED", "API_TOKEN_EXISTS", "TOO_MANY_API_TOKENS", "TOO_MANY_REQUESTS"],
  },
  list: {
    method: "GET",
    path: "/v1/api-tokens",
    summary: "Your API tokens, without their secrets",
    access: "member",
    reply: z.object({ api_tokens: z.array(ApiToken) }),
  },
  revoke: {
    method: "DELETE",
    path: "/v1/api-tokens/:uuid",
    summary: "Revoke an API token",
    access: "member",
    params: ByUuid,
    status: 204,
    fails: ["API_TOKEN_NOT_SCOPED", "API_TOKEN_NOT_FOUND"],
  },
});
