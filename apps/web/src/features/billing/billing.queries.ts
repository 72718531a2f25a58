import "../../en/administration.ts";
import "../../en/plans.ts";
import { AppError } from "@terrarium/sdk";
import type { Plan, PremiumRequest, Subscription } from "@terrarium/contract";
import { longDate } from "../../components/dates.ts";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import { organizationKey } from "../../shared/organizations.queries.ts";
import { confirmPayment } from "../../shared/payments/confirm-payment.ts";
import { isStarting } from "./plan-standing.ts";

type Call = { signal: AbortSignal };

const root = "billing";
/** What devices use is counted by the minute, and plans go on by themselves. */
const LOOK_EVERY_MS = 30_000;
/** While a plan waits for its first payment: its outcome is decided at the bank. */
export const LOOK_SOON_MS = 3_000;
/** Until an upfront plan that was charged shows in the organization. */
const SETTLE_MS = 5_000;

/** The free minutes that are left, and what is to be paid so far. */
export const balance = {
  queryKey: [root, "balance"] as const,
  queryFn: ({ signal }: Call) => client.subscriptions.balance({}, { signal }),
  refetchInterval: LOOK_EVERY_MS,
};

/** The plan that has not ended; null if there is none. */
export const runningPlan = {
  queryKey: [root, "plan"] as const,
  queryFn: async ({ signal }: Call): Promise<Subscription | null> =>
    (await client.subscriptions.list({ query: { is_active: true } }, { signal })).results[0] ?? null,
  refetchInterval: ({ state: { data } }: { state: { data: Subscription | null | undefined } }) =>
    isStarting(data) ? LOOK_SOON_MS : LOOK_EVERY_MS,
};

/** What the devices of a plan have used in its present period. */
export const usageOf = (plan: string | undefined) => ({
  queryKey: [root, "usage", plan] as const,
  queryFn: ({ signal }: Call) => client.subscriptions.usage({ params: { uuid: plan ?? "" } }, { signal }),
  refetchInterval: LOOK_EVERY_MS,
  enabled: plan !== undefined,
});

/** The invoice that was issued last; null if there is none. */
export const lastInvoice = {
  queryKey: [root, "last invoice"] as const,
  queryFn: async ({ signal }: Call) =>
    (await client.invoices.list({ query: { nature: "SUBSCRIPTION", page_size: 1 } }, { signal })).results[0] ?? null,
};

export interface PlanChoice {
  plan: Plan;
  /** Devices of an upfront plan. */
  quantity: number;
  /** As it was shown, in cents of a minute, or of a device for the period. */
  price: number;
  /** What an upfront plan charges at once, as it was shown. */
  total?: number;
}

/** The bank, or the customer there, has refused; the message is the payment provider's. */
export class NotConfirmed extends Error {}

/** Starts a plan once there is whom to bill and what to charge. */
async function start({ plan, quantity, price, total }: PlanChoice): Promise<void> {
  if ((await client.billingAddresses.list()).count === 0) throw new AppError("BILLING_ADDRESS_MISSING");
  if ((await client.cards.list()).count === 0) throw new AppError("PAYMENT_METHOD_MISSING");
  const { requires_action } = await client.subscriptions.create({
    body: plan === "payg" ? { plan, price } : { plan, quantity, price, total },
  });
  if (requires_action) {
    const { error } = await confirmPayment(requires_action.client_secret);
    if (error !== undefined) throw new NotConfirmed(error);
  }
  if (plan !== "payg") await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

const afterPlan = () => [organizationKey, [root]];

/** Starts a plan. If that fails, an event updates the whole page, and whoever asked shows the error. */
export const startPlan = mutation({
  mutationKey: [root, "start"],
  mutationFn: async (choice: PlanChoice) => {
    try {
      await start(choice);
    } catch (error) {
      globalThis.dispatchEvent(new CustomEvent("subscribe:error", { detail: { ...choice, error } }));
      throw error;
    }
  },
  invalidates: afterPlan,
  says: (t, _, { plan }) =>
    t("plans.started", { plan: t(plan === "payg" ? "plans.names.payg" : "plans.names.unlimited") }),
});

/** Ends pay-as-you-go, which bills what was used and stops all devices. The dialog says what was refused. */
export const endPayg = mutation({
  mutationKey: [root, "cancel"],
  mutationFn: ({ uuid }: Subscription) => client.subscriptions.cancel({ params: { uuid } }),
  invalidates: afterPlan,
  says: (t) => t("plans.cancel.payg.done"),
});

/** Lets an upfront plan end with its period, or restores it. The dialog says what was refused. */
export const setRenewal = mutation({
  mutationKey: [root, "renewal"],
  mutationFn: ({ plan: { uuid }, ends }: { plan: Subscription; ends: boolean }) =>
    client.subscriptions.edit({ params: { uuid }, body: { cancel_at_period_end: ends } }),
  invalidates: afterPlan,
  says: (t, { current_period_end }, { ends }) =>
    t(ends ? "plans.cancel.unlimited.done" : "plans.restore.done", { date: longDate(current_period_end, "") }),
});

/** Asks for an offer. */
export const requestPremium = mutation({
  mutationKey: [root, "premium"],
  mutationFn: ({ organization, body }: { organization: string; body: PremiumRequest }) =>
    client.trials.requestPremium({ params: { uuid: organization }, body }),
  says: (t) => t("administration.requestPremiumPlanDialog.snack.success"),
  refuses: (t, error) =>
    t(
      error instanceof AppError && error.code === "PREMIUM_REQUESTED"
        ? "plans.premium.requested"
        : "administration.requestPremiumPlanDialog.snack.error",
    ),
});
