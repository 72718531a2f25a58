/** The currencies that the service charges in. */
const currencies = ["USD", "EUR"];

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
  return new Intl.NumberFormat("en-US", { style: "currency", currency: code }).format(amount);
}
