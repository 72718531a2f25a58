import { z } from "zod";
import { Cents, Currency, invoiceStates } from "./billing.ts";
import { webAddress } from "./field-rules.ts";
import { ByUuid, Description, GivenUuid, listOf, pageOf, Paging, ruled, Search, Time, Uuid } from "./fields.ts";
import { instanceStates } from "./instance-life.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { statuses } from "./os-images.ts";
import { routes } from "./routes.ts";
import { userStatuses } from "./user-status.ts";
import { deliveryStates, TEST_EVENT, type WebhookEvent, webhookEventNames, webhookHealth } from "./webhook-events.ts";

const Event = z.enum(webhookEventNames as readonly [WebhookEvent, ...WebhookEvent[]]);

/** An address of the organization's own, which is sent what happens. */
export const Webhook = z.object({
  uuid: Uuid,
  url: z.string(),
  description: z.string(),
  events: z.array(Event),
  health: z.enum(webhookHealth),
  disabled_reason: z
    .enum(["manager", "failing", "gone"])
    .nullable()
    .meta({ description: "Who disabled it: a manager; Terrarium after days without a success; its own answer 410" }),
  failing_since: Time.nullable().meta({ description: "The first failed attempt since the last success" }),
  former_secret_until: Time.nullable().meta({
    description: "Until when the secret before the last rotation signs, too",
  }),
  waiting: z.int().meta({ description: "Deliveries that wait for an attempt" }),
  failed: z.int().meta({ description: "Deliveries in the log that were given up" }),
  created_at: Time,
});
export type Webhook = z.infer<typeof Webhook>;

const Delivery = z.object({
  uuid: Uuid.meta({
    description: "The header webhook-id: the same on each attempt, and for each endpoint that is told",
  }),
  type: z.string(),
  at: Time.nullable().meta({
    description: "When it happened; null until the first attempt where no row of ours tells",
  }),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  status: z.int().nullable().meta({ description: "Of the last answer" }),
  error: z.string().nullable().meta({ description: "Why the last attempt got no answer" }),
  next_at: Time.nullable().meta({ description: "When the next attempt is due; null for at once, and for none" }),
});
export type WebhookDelivery = z.infer<typeof Delivery>;

export const WebhookAttempt = z.object({
  at: Time,
  duration_ms: z.int(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  answer: z.string().meta({ description: `The first ${limits.webhookAnswerBytes} bytes of the answer` }),
});
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

const secret = z
  .string()
  .meta({ description: "Standard Webhooks: `whsec_` and the key in Base64. It is shown this once" });
const events = z
  .array(Event)
  .min(1, "Choose at least one event")
  .max(webhookEventNames.length)
  .refine((given) => new Set(given).size === given.length, { error: "Must not repeat" });
const Url = z
  .string()
  .trim()
  .pipe(ruled([webAddress]));
const ByDelivery = ByUuid.extend({ delivery: GivenUuid });

export const webhooksTag = tag("Your organization", "Webhooks", "Events that are sent to an address of yours.");

export const webhooks = routes({
  list: {
    method: "GET",
    path: "/v1/webhooks",
    summary: "The webhooks of your organization",
    access: "manager",
    scope: "admin",
    reply: z.object({ webhooks: z.array(Webhook) }),
  },
  create: {
    method: "POST",
    path: "/v1/webhooks",
    summary: "Add a webhook; its secret is shown this once",
    access: "manager",
    audit: ["webhook.create"],
    body: z.object({ url: Url, description: Description.default(""), events }),
    status: 201,
    reply: Webhook.extend({ secret }),
    fails: ["TOO_MANY_WEBHOOKS", "WEBHOOK_ADDRESS_REFUSED"],
  },
  edit: {
    method: "PATCH",
    path: "/v1/webhooks/:uuid",
    summary: "Change, disable or enable a webhook. What waits when it is disabled is given up, and can be replayed",
    access: "manager",
    audit: ["webhook.edit"],
    params: ByUuid,
    body: z.object({
      url: Url.optional(),
      description: Description.optional(),
      events: events.optional(),
      is_enabled: z.boolean().optional(),
    }),
    reply: Webhook,
    fails: ["WEBHOOK_NOT_FOUND", "WEBHOOK_ADDRESS_REFUSED"],
  },
  delete: {
    method: "DELETE",
    path: "/v1/webhooks/:uuid",
    summary: "Delete a webhook, with its log and what waits for it",
    access: "manager",
    audit: ["webhook.delete"],
    params: ByUuid,
    status: 204,
    fails: ["WEBHOOK_NOT_FOUND"],
  },
  rotateSecret: {
    method: "POST",
    path: "/v1/webhooks/:uuid/rotate-secret",
    summary: `Give a webhook a new secret, which is shown this once; the one before signs too for ${limits.webhookRotationHours} hours`,
    access: "manager",
    audit: ["webhook.rotate_secret"],
    params: ByUuid,
    reply: Webhook.extend({ secret }),
    fails: ["WEBHOOK_NOT_FOUND"],
  },
  test: {
    method: "POST",
    path: "/v1/webhooks/:uuid/test",
    summary: `Send the event ${TEST_EVENT}; its outcome is in the log`,
    access: "manager",
    audit: ["webhook.test"],
    params: ByUuid,
    reply: z.object({ uuid: Uuid }),
    fails: ["WEBHOOK_NOT_FOUND", "WEBHOOK_DISABLED", "TOO_MANY_REQUESTS"],
  },
  deliveries: {
    method: "GET",
    path: "/v1/webhooks/:uuid/deliveries",
    summary: `What a webhook was told in the last ${limits.webhookLogDays} days, the latest first`,
    access: "manager",
    scope: "admin",
    params: ByUuid,
    query: Paging.extend({
      state: listOf(z.enum(deliveryStates)),
      type: listOf(z.enum([...webhookEventNames, TEST_EVENT])),
      search: Search.optional().meta({ description: "Found in what was told, as a name, or in its identifier" }),
    }),
    reply: pageOf(Delivery),
    fails: ["WEBHOOK_NOT_FOUND"],
  },
  delivery: {
    method: "GET",
    path: "/v1/webhooks/:uuid/deliveries/:delivery",
    summary: "A delivery with what was sent and each answer",
    access: "manager",
    scope: "admin",
    params: ByDelivery,
    reply: Delivery.extend({ payload: z.string(), log: z.array(WebhookAttempt) }),
    fails: ["WEBHOOK_NOT_FOUND", "WEBHOOK_DELIVERY_NOT_FOUND"],
  },
  replay: {
    method: "POST",
    path: "/v1/webhooks/:uuid/deliveries/:delivery/replay",
    summary: "Send a delivery again, with the same webhook-id",
    access: "manager",
    audit: ["webhook.replay"],
    params: ByDelivery,
    status: 204,
    fails: ["WEBHOOK_NOT_FOUND", "WEBHOOK_DELIVERY_NOT_FOUND", "WEBHOOK_DISABLED", "TOO_MANY_REQUESTS"],
  },
  replayFailed: {
    method: "POST",
    path: "/v1/webhooks/:uuid/replay-failed",
    summary: "Send all deliveries again that were given up, of what has happened since a time",
    access: "manager",
    audit: ["webhook.replay"],
    params: ByUuid,
    body: z.object({ since: Time }),
    reply: z.object({ replayed: z.int() }),
    fails: ["WEBHOOK_NOT_FOUND", "WEBHOOK_DISABLED", "TOO_MANY_REQUESTS"],
  },
});

const given = z.uuid();
const Device = z.object({
  uuid: given,
  name: z.string(),
  owner_uuid: given,
  recipe_uuid: given.nullable(),
  state: z.enum(instanceStates),
  previous_state: z.enum(instanceStates).nullable(),
  reason: z.string().nullable(),
  revision: z.int().meta({ description: "Greater in later events of the same device" }),
});
const SavedDevice = Device.extend({ saved_recipe_uuid: given });
const ChangedRecipe = z.object({
  uuid: given,
  name: z.string(),
  status: z.enum(statuses),
  owner_uuid: given.nullable(),
  revision: z.int().meta({ description: "Greater in later events of the same recipe" }),
});
const Member = z.object({
  uuid: given,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  role: z.enum(["manager", "user"]),
  status: z.enum(userStatuses),
});

const InvoiceData = z.object({
  uuid: given,
  invoice_number: z.string(),
  amount: Cents.meta({ description: "With tax" }),
  currency: Currency,
  state: z.enum(invoiceStates),
  period_start: Time,
  period_end: Time,
  due_at: Time,
});

/** The `data` of each event. */
export const webhookData = {
  "instance.created": Device,
  "instance.started": Device,
  "instance.saved": SavedDevice,
  "instance.save_failed": SavedDevice,
  "instance.stopped": Device,
  "instance.failed": Device,
  "instance.state_changed": Device,
  "recipe.created": ChangedRecipe,
  "recipe.changed": ChangedRecipe,
  "recipe.deleted": ChangedRecipe.pick({ uuid: true, name: true }),
  "user.invited": z.object({ invitation_uuid: given, email: z.string() }),
  "user.joined": Member,
  "user.changed": Member,
  "user.removed": z.object({ uuid: given }),
  "invoice.created": InvoiceData,
  "invoice.paid": InvoiceData,
  "invoice.payment_failed": InvoiceData.extend({
    reason: z.string().meta({ description: "In the words of the payment provider" }),
  }),
  "invoice.refunded": InvoiceData.extend({ credit_note_uuid: given, refunded: Cents }),
  [TEST_EVENT]: z.object({ webhook_uuid: given }),
} satisfies Record<WebhookEvent | typeof TEST_EVENT, z.ZodObject>;

/** The body of a webhook of a type. */
export const webhookPayload = <Type extends keyof typeof webhookData>(type: Type) =>
  z.strictObject({ type: z.literal(type), timestamp: Time, data: webhookData[type] });
