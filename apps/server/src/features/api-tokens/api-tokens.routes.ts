import type { apiTokens } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";
import { type ApiTokenDeps, createApiToken, getApiTokens, revokeApiToken } from "./api-tokens.ts";

export const apiTokenRoutes = (deps: ApiTokenDeps): Handlers<typeof apiTokens, Actor> => ({
  create: ({ actor, body }) => createApiToken(deps, actor, body.description),
  list: async ({ actor }) => ({ api_tokens: await getApiTokens(deps, actor) }),
  revoke: ({ actor, params }) => revokeApiToken(deps, actor, params.uuid),
});
