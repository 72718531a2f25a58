import type { subscriptions } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { cancelSubscription, editSubscription } from "./cancel-plan.ts";
import { balanceOf, getSubscriptions, startSubscription, type SubscriptionDeps, usageOfPlan } from "./subscriptions.ts";

export const subscriptionRoutes = (deps: SubscriptionDeps): Handlers<typeof subscriptions, Actor> => ({
  balance: ({ actor }) => balanceOf(deps, actor),
  list: ({ actor, query }) => getSubscriptions(deps, actor, query.is_active),
  create: ({ body, ...call }) => startSubscription(deps, call.actor, body, byCaller(call)),
  edit: ({ params, body, ...call }) => editSubscription(deps, call.actor, { ...params, ...body }, byCaller(call)),
  cancel: ({ params, ...call }) => cancelSubscription(deps, call.actor, params.uuid, byCaller(call)),
  usage: ({ actor, params }) => usageOfPlan(deps, actor, params.uuid),
});
