/**
 * Every event that an endpoint can be sent, by what it is about. This is the only list; the triggers in the database know the names, too.
 */
export const webhookEvents = {
  instance: [
    "instance.created",
    "instance.started",
    "instance.saved",
    "instance.save_failed",
    "instance.stopped",
    "instance.failed",
    // Every change of state, the ones above among them
    "instance.state_changed",
  ],
  recipe: ["recipe.created", "recipe.changed", "recipe.deleted"],
  user: ["user.invited", "user.joined", "user.changed", "user.removed"],
  invoice: ["invoice.created", "invoice.paid", "invoice.payment_failed", "invoice.refunded"],
} as const;

export type WebhookEvent = (typeof webhookEvents)[keyof typeof webhookEvents][number];

export const webhookEventNames: readonly WebhookEvent[] = Object.values(webhookEvents).flat();

/** Sent when a manager asks for it, to any endpoint. */
export const TEST_EVENT = "webhook.test";

/** How a delivery stands: it waits for its first or next attempt, was accepted, or was given up. */
export const deliveryStates = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** How an endpoint stands: an attempt has failed since the last success, a delivery was given up since, nothing is sent to it. */
export const webhookHealth = ["healthy", "retrying", "failing", "disabled"] as const;
export type WebhookHealth = (typeof webhookHealth)[number];
