import { annualPrice, type Offer, type Organization, priceOf, taxOn } from "@terrarium/contract";

/** The price of an upfront plan for a number of devices and a period, with discount and tax, in cents. */
export function upfrontTotal(
  { plan, quantity }: { plan: "annual" | "monthly"; quantity: number },
  offer: Offer,
  rate: Organization["tax_rate"],
) {
  const full = quantity * offer.unlimited_monthly_cents * (plan === "annual" ? 12 : 1);
  const net = quantity * priceOf(plan, offer);
  const tax = taxOn(net, rate);
  return { full, discount: net - full, tax, total: net + tax };
}

/** The price of one device for a month when a year is paid upfront, in cents. */
export const monthOfYear = (offer: Offer): number =>
  Math.round(annualPrice(offer.unlimited_monthly_cents, offer.annual_discount) / 12);
