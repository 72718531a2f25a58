import { annualPrice, type Offer, type Organization, priceOf, taxOn } from "@terrarium/contract";

/** What an upfront plan costs for so many devices and so long, with the discount and the tax. Cents. */
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

/** A device of an upfront plan for a month, where a year is paid. Cents. */
export const monthOfYear = (offer: Offer): number =>
  Math.round(annualPrice(offer.unlimited_monthly_cents, offer.annual_discount) / 12);
