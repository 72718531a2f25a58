import "../../en/payments.ts";
import { t } from "i18next";
import { queryClient } from "../../session/client.ts";
import { publicSettings } from "../../session/settings.ts";
import { askBank } from "./bank-question.ts";
import { loadStripe } from "./stripe.ts";

/** How the sandbox's secrets begin. */
const SANDBOX = "pi_sandbox_";

/**
 * Lets the customer confirm a payment at their bank, as the payment provider asks.
 * @returns the provider's own words if it was refused
 */
export async function confirmPayment(clientSecret: string): Promise<{ error?: string }> {
  if (clientSecret.startsWith(SANDBOX)) return askBank(clientSecret, t("payments.bank.refused"));
  const failed = { error: t("payments.bank.failed") };
  try {
    const { stripe_publishable_key: key } = await queryClient.ensureQueryData(publicSettings);
    if (!key) return failed;
    const stripe = await loadStripe(key);
    const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret);
    // A card that was charged without its holder is asked for again, with them.
    const method = paymentIntent?.last_payment_error?.payment_method?.id;
    const { error } = await stripe.confirmCardPayment(clientSecret, method ? { payment_method: method } : undefined);
    return error ? { error: error.message ?? failed.error } : {};
  } catch {
    return failed;
  }
}
