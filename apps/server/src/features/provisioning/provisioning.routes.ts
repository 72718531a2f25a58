import type { provisioning } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { setClaim } from "../sso/groups-claim.ts";
import { checkOwn, createToken, getProvisioning, type ProvisioningDeps, revokeToken } from "./provisioning.ts";

export const provisioningRoutes = (deps: ProvisioningDeps): Handlers<typeof provisioning, Actor> => ({
  get: ({ actor, params }) => getProvisioning(deps, actor, params.uuid),
  createToken: (call) => createToken(deps, call.actor, { ...call.params, ...call.body }, byCaller(call)),
  revokeToken: (call) => revokeToken(deps, call.actor, call.params, byCaller(call)),
  setClaim: async (call) => {
    const { actor, params, body } = call;
    checkOwn(actor, params.uuid);
    await setClaim(deps, params.uuid, body, byCaller(call));
    return getProvisioning(deps, actor, params.uuid);
  },
});
