import { keepPreviousData } from "@tanstack/react-query";
import type { Contract, Sent, Webhook } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import type { TFunction } from "i18next";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import { isGone } from "../../shared/is-gone.ts";
import { webhookName } from "./webhook-name.ts";

type Routes = Contract["webhooks"];

/** All webhooks of the organization. The service gives them at once: there are ten at most. */
export const webhooks = {
  queryKey: ["webhooks"] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await client.webhooks.list({}, { signal })).webhooks,
};

/** A page of the deliveries to one webhook. */
export const deliveryPage = (uuid: string, query: Sent<Routes["deliveries"]>["query"]) => ({
  queryKey: ["webhook-log", uuid, query] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.webhooks.deliveries({ params: { uuid }, query }, { signal }),
  placeholderData: keepPreviousData,
});

export const deliveryOf = (uuid: string, delivery: string) => ({
  queryKey: ["webhook-log", uuid, "delivery", delivery] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    client.webhooks.delivery({ params: { uuid, delivery } }, { signal }),
});

const all = () => [webhooks.queryKey];
const log = () => [webhooks.queryKey, ["webhook-log"]];
const named = (webhook: Webhook) => ({ name: webhookName(webhook) });

/** Its answer is the only place that ever has the secret. The form says what was refused. */
export const createWebhook = mutation({
  mutationKey: ["webhooks", "create"],
  mutationFn: (body: Sent<Routes["create"]>["body"]) => client.webhooks.create({ body }),
  invalidates: all,
});

export const editWebhook = mutation({
  mutationKey: ["webhooks", "edit"],
  mutationFn: ({ uuid, ...body }: { uuid: string } & Sent<Routes["edit"]>["body"]) =>
    client.webhooks.edit({ params: { uuid }, body }),
  invalidates: all,
  announces: (t, webhook) => t("webhooks.done.edited", named(webhook)),
});

export const setEnabled = mutation({
  mutationKey: ["webhooks", "enable"],
  mutationFn: ({ webhook: { uuid }, is_enabled }: { webhook: Webhook; is_enabled: boolean }) =>
    client.webhooks.edit({ params: { uuid }, body: { is_enabled } }),
  invalidates: log,
  announces: (t, webhook, { is_enabled }) =>
    t(is_enabled ? "webhooks.done.enabled" : "webhooks.done.disabled", named(webhook)),
  refuses: (t) => t("errors.saveWebhook"),
});

/** One that is gone already was what was wanted. */
export const deleteWebhook = mutation({
  mutationKey: ["webhooks", "delete"],
  mutationFn: ({ uuid }: Webhook) => client.webhooks.delete({ params: { uuid } }),
  invalidates: all,
  announces: (t, _, webhook) => t("webhooks.done.deleted", named(webhook)),
  refuses: (t, error) => (isGone(error) ? undefined : t("errors.deleteWebhook")),
});

/** Its answer is the only place that ever has the new secret. The dialog says what was refused. */
export const rotateSecret = mutation({
  mutationKey: ["webhooks", "rotate"],
  mutationFn: ({ uuid }: Webhook) => client.webhooks.rotateSecret({ params: { uuid } }),
  invalidates: all,
});

const sayRefusal = (t: TFunction, error: Error, otherwise: "errors.testWebhook" | "errors.replayWebhook") => {
  const code = error instanceof AppError ? error.code : undefined;
  if (code === "WEBHOOK_DISABLED") return t("errors.webhookDisabled");
  return t(code === "TOO_MANY_REQUESTS" ? "errors.webhookLimit" : otherwise);
};

export const testWebhook = mutation({
  mutationKey: ["webhooks", "test"],
  mutationFn: ({ webhook: { uuid } }: { webhook: Webhook }) => client.webhooks.test({ params: { uuid } }),
  invalidates: log,
  says: (t, _, { webhook }) => t("webhooks.done.tested", named(webhook)),
  refuses: (t, error) => sayRefusal(t, error, "errors.testWebhook"),
});

export const replayDelivery = mutation({
  mutationKey: ["webhooks", "replay"],
  mutationFn: (params: Sent<Routes["replay"]>["params"]) => client.webhooks.replay({ params }),
  invalidates: log,
  announces: (t) => t("webhooks.done.replayed"),
  refuses: (t, error) => sayRefusal(t, error, "errors.replayWebhook"),
});

export const replayFailed = mutation({
  mutationKey: ["webhooks", "replay-failed"],
  mutationFn: ({ uuid, since }: { uuid: string; since: string }) =>
    client.webhooks.replayFailed({ params: { uuid }, body: { since } }),
  invalidates: log,
  says: (t, { replayed: count }) => t("webhooks.done.replayedAll", { count }),
  refuses: (t, error) => sayRefusal(t, error, "errors.replayWebhook"),
});
