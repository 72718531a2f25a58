import type { webhooks } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf } from "../../platform/http/pages.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { getDeliveries, getDelivery, replay, sendTest } from "./deliveries.ts";
import { createWebhook, deleteWebhook, editWebhook, getWebhooks, rotateSecret, type WebhookDeps } from "./webhooks.ts";

interface CallForOne {
  actor: { organization: string };
  params: { uuid: string };
}
const ownOf = ({ actor, params }: CallForOne) => ({ organization: actor.organization, uuid: params.uuid });

export const webhookRoutes = (deps: WebhookDeps): Handlers<typeof webhooks, Actor> => ({
  list: async ({ actor }) => ({ webhooks: await getWebhooks(deps, actor.organization) }),
  create: (call) => createWebhook(deps, call.actor.organization, call.body, byCaller(call)),
  edit: (call) => editWebhook(deps, ownOf(call), call.body, byCaller(call)),
  delete: (call) => deleteWebhook(deps, ownOf(call), byCaller(call)),
  rotateSecret: (call) => rotateSecret(deps, ownOf(call), byCaller(call)),
  test: (call) => sendTest(deps, ownOf(call), byCaller(call)),
  deliveries: async ({ query, url, ...call }) => pageOf(await getDeliveries(deps, ownOf(call), query), query, url),
  delivery: (call) => getDelivery(deps, ownOf(call), call.params.delivery),
  replay: async (call) => {
    await replay(deps, ownOf(call), { uuid: call.params.delivery }, byCaller(call));
  },
  replayFailed: async (call) => ({
    replayed: await replay(deps, ownOf(call), { since: new Date(call.body.since) }, byCaller(call)),
  }),
});
