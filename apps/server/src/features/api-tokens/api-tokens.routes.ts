import type { apiTokens } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { type ApiTokenDeps, createApiToken, getApiTokens, revokeApiToken } from "./api-tokens.ts";

export const apiTokenRoutes = (deps: ApiTokenDeps): Handlers<typeof apiTokens, Actor> => ({
  create: ({ body, ...call }) => createApiToken(deps, call.actor, body, byCaller(call)),
  list: async ({ actor }) => ({ api_tokens: await getApiTokens(deps, actor) }),
  revoke: ({ params, ...call }) => revokeApiToken(deps, call.actor, params.uuid, byCaller(call)),
});
