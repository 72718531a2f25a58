import type { Webhook, WebhookDelivery, WebhookEvent } from "@terrarium/contract";
import { createLog } from "../../../platform/log.ts";
import type { OutsidePolicy } from "../../../platform/outbound/post-outside.ts";
import { sealerFor } from "../../../platform/sealer.ts";
import { createTestApp } from "../../../testing/app.ts";
import { WebhookDispatcher } from "../dispatcher.ts";

const local: OutsidePolicy = { allowsPrivate: true };

/** An organization's manager who adds webhooks, and what sends them. */
export async function aSender(webhookTargets: OutsidePolicy = local) {
  const test = await createTestApp({ webhookTargets });
  const { db, clock, audit } = test;
  const person = await test.as({ role: "manager" });
  // Its session would end within a day.
  const token = (await person.post("/v1/api-tokens", { description: "hooks", scope: "admin" })).json<{
    token: string;
  }>();
  const headers = { "x-api-token": token.token };
  const manager = {
    user: person.user,
    start: person.start,
    get: (path: string) => test.call("GET", path, { headers }),
    post: (path: string, body?: object) => test.call("POST", path, { body, headers }),
    delete: (path: string) => test.call("DELETE", path, { headers }),
  };
  const webhookSealer = await sealerFor(db, "webhooks");
  const dispatcher = (targets = webhookTargets) =>
    new WebhookDispatcher({
      db,
      clock,
      audit,
      log: createLog("silent", "test"),
      webhookSealer,
      webhookTargets: targets,
      pagesAt: () => "https://devices.example",
    });
  const first = dispatcher();
  const add = async (url: string, events: WebhookEvent[] = ["instance.created"]) =>
    (await manager.post("/v1/webhooks", { url, events })).json<Webhook & { secret: string }>();
  return {
    ...test,
    manager,
    /** The manager with a session. */
    person,
    /** Another process that sends. */
    dispatcher,
    send: () => first.runDue(),
    add,
    test: async ({ uuid }: { uuid: string }) =>
      (await manager.post(`/v1/webhooks/${uuid}/test`)).json<{ uuid: string }>().uuid,
    edit: ({ uuid }: { uuid: string }, body: object) => test.call("PATCH", `/v1/webhooks/${uuid}`, { body, headers }),
    find: async ({ uuid }: { uuid: string }): Promise<Webhook | undefined> =>
      (await manager.get("/v1/webhooks")).json<{ webhooks: Webhook[] }>().webhooks.find((one) => one.uuid === uuid),
    log: async ({ uuid }: { uuid: string }, query = ""): Promise<WebhookDelivery[]> =>
      (await manager.get(`/v1/webhooks/${uuid}/deliveries${query}`)).json<{ results: WebhookDelivery[] }>().results,
  };
}
