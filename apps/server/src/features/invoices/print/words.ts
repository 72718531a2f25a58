import type { Currency } from "@terrarium/contract";

const formatOf = (currency: Currency) => new Intl.NumberFormat("en-US", { style: "currency", currency });
const formats: Record<Currency, Intl.NumberFormat> = { USD: formatOf("USD"), EUR: formatOf("EUR") };

/** $1,234.50, with a minus for what is paid back. */
export const moneyText = (cents: number, currency: Currency): string => formats[currency].format(cents / 100);

const grouped = new Intl.NumberFormat("en-US");
export const countText = (count: number): string => grouped.format(count);

/** 2026-03-05 */
export const dayText = (at: Date): string => at.toISOString().slice(0, 10);

/** 2026-03-05 14:02, UTC. */
export const minuteText = (at: Date): string => at.toISOString().slice(0, 16).replace("T", " ");

const regions = new Intl.DisplayNames("en", { type: "region" });

/** The English name of a country, by its two letters. */
export const countryText = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code);
