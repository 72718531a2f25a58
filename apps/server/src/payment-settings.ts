import { countries } from "@terrarium/contract";
import { z } from "zod";

/** How customers pay, and what tax is added. */
export const paymentEnvironment = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_\w+$/)
    .optional()
    .describe("charges cards with Stripe: the secret key, or a restricted one"),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_\w+$/)
    .optional()
    .describe("the publishable key that belongs to it"),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+$/)
    .optional()
    .describe(
      "the signing secret of the webhook endpoint at Stripe that leads to `/cloud/v1/billing/stripe/events`, for `payment_intent.*` and `payment_method.*`",
    ),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/ })
    .default("https://api.stripe.com")
    .describe("where Stripe's API is, for tests"),
  TERRARIUM_PAYMENTS: z.enum(["sandbox", "off"]).optional().meta({
    description:
      "what there is without Stripe: the built-in sandbox, which accepts test cards and moves no money, or no payments",
    shown: "`sandbox` with the embedded database, `off` with `DATABASE_URL` or `NODE_ENV=production`",
  }),
  TERRARIUM_SELLER_COUNTRY: z
    .enum(countries)
    .default("FR")
    .describe(
      "the country of whoever sends the invoices (ISO 3166-1 alpha-2): businesses of other states of the European Union with a VAT number account for the tax themselves",
    ),
  TERRARIUM_VIES: z
    .union([z.literal("off"), z.url({ protocol: /^https?$/ }).regex(/[^?#]+\/$/, "Must end in a slash")])
    .default("off")
    .describe(
      "where VAT numbers are looked up, `https://ec.europa.eu/taxation_customs/vies/rest-api/`; if it does not answer within three seconds, a number counts that looks right",
    ),
};

/** How customers pay. */
export function paymentsOf(env: z.infer<z.ZodObject<typeof paymentEnvironment>>, { isTrial }: { isTrial: boolean }) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = env;
  const { STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: url } = env;
  return {
    stripe:
      secretKey && publishableKey && webhookSecret ? { secretKey, publishableKey, webhookSecret, url } : undefined,
    hasSandbox: env.TERRARIUM_PAYMENTS === undefined ? isTrial : env.TERRARIUM_PAYMENTS === "sandbox",
  };
}

/** What tax is added to what they pay. */
export const taxesOf = (env: z.infer<z.ZodObject<typeof paymentEnvironment>>) => ({
  sellerCountry: env.TERRARIUM_SELLER_COUNTRY,
  /** Undefined if numbers are not looked up. */
  viesUrl: env.TERRARIUM_VIES === "off" ? undefined : env.TERRARIUM_VIES,
});
