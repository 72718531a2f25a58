import type { Broken } from "./form/app-form.ts";

/** The currencies that the service charges in. */
const currencies = ["USD", "EUR"];
/** By currency, as they are slow to make: a list of invoices would make hundreds. */
const formats = new Map<string, Intl.NumberFormat>();

/**
 * An amount in cents as text: $12.34, -€5.00. Without a currency it is dollars. One that is not known is logged, and written with its
 * code.
 */
export function money(cents: number, currency: string | null | undefined = "USD"): string {
  const code = (currency ?? "USD").toUpperCase();
  const amount = cents / 100;
  if (!currencies.includes(code)) {
    console.warn(`There is no way to write amounts in ${code}`);
    return `${amount.toFixed(2)} ${code}`;
  }
  const format = formats.get(code) ?? new Intl.NumberFormat("en-US", { style: "currency", currency: code });
  formats.set(code, format);
  return format.format(amount);
}

const CENTS = 100;

/** Cents as they are typed: 12.50. */
export const typedMoney = (cents: number): string => (cents / CENTS).toFixed(2);

/** An amount that was typed, in cents; NaN for anything else, such as a third decimal. */
export const centsOf = (text: string): number =>
  /^\d{1,8}(\.\d{1,2})?$/.test(text.trim()) ? Math.round(Number(text) * CENTS) : NaN;

/** An amount that is typed, within bounds in cents. An empty one obeys the rule. */
export const amountWithin =
  ({ min, max }: { min: number; max: number }) =>
  (text: string): Broken | undefined => {
    const cents = centsOf(text);
    return text.trim() === "" || (cents >= min && cents <= max) ? undefined : { says: "amount", max: max / CENTS };
  };
