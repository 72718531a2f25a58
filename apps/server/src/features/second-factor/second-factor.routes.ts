import type { secondFactor } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { addRequiredTotp, beginRequiredTotp, confirmSignIn } from "./confirm.ts";
import {
  addOwnTotp,
  beginOwnTotp,
  getSecondFactors,
  removeOwnTotp,
  renewOwnCodes,
  type SecondFactorDeps,
} from "./second-factor.ts";

export const secondFactorRoutes = (deps: SecondFactorDeps): Handlers<typeof secondFactor, Actor> => ({
  get: ({ actor, params }) => getSecondFactors(deps, actor, params.uuid),
  beginTotp: ({ actor, params, body }) => beginOwnTotp(deps, actor, { ...params, ...body }),
  addTotp: async (call) => ({
    recovery_codes: await addOwnTotp(deps, call.actor, { ...call.params, ...call.body }, byCaller(call)),
  }),
  removeTotp: (call) => removeOwnTotp(deps, call.actor, { ...call.params, ...call.body }, byCaller(call)),
  renewCodes: async (call) => ({
    recovery_codes: await renewOwnCodes(deps, call.actor, { ...call.params, ...call.body }, byCaller(call)),
  }),
  confirm: ({ body, ...from }) => confirmSignIn(deps, body, from),
  beginRequiredTotp: ({ body }) => beginRequiredTotp(deps, body.ticket),
  addRequiredTotp: ({ body, ...from }) => addRequiredTotp(deps, body, from),
});
