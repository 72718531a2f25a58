import type { Clock } from "@terrarium/clock";
import type { apiTokens } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";
import { listApiTokens } from "./api-tokens.store.ts";
import { createApiToken, presentApiToken, revokeApiToken } from "./api-tokens.ts";

export const apiTokenRoutes = (deps: { db: Database; clock: Clock }): Handlers<typeof apiTokens, Actor> => ({
  create: ({ actor, body }) => createApiToken(deps, actor, body.description),
  list: async ({ actor }) => ({ api_tokens: (await listApiTokens(deps.db, actor.uuid)).map(presentApiToken) }),
  revoke: ({ actor, params }) => revokeApiToken(deps, actor, params.uuid),
});
