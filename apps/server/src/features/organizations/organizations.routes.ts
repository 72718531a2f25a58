import type { organizations } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import { type Actor, sessionOf } from "../sessions/actor.ts";
import { requireSecondFactor, type RuleDeps } from "../second-factor/require.ts";
import { getOrganization } from "./organizations.ts";

export const organizationRoutes = (deps: RuleDeps): Handlers<typeof organizations, Actor> => ({
  get: ({ actor, params }) => getOrganization(deps.db, actor, params.uuid),
  requireSecondFactor: async (call) => {
    const { actor, params, body } = call;
    sessionOf(actor);
    await getOrganization(deps.db, actor, params.uuid);
    await requireSecondFactor(deps, { organization: params.uuid, manager: actor.uuid, ...body }, byCaller(call));
    return getOrganization(deps.db, actor, params.uuid);
  },
});
