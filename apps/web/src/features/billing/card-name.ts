import type { Card } from "@terrarium/contract";
import type { TFunction } from "i18next";
import { payments } from "../../en/payments.ts";

type Brand = keyof typeof payments.payments.brands;
const isBrand = (brand: string): brand is Brand => Object.hasOwn(payments.payments.brands, brand);

export const brandName = (t: TFunction, brand: string): string =>
  t(`payments.brands.${isBrand(brand) ? brand : "other"}`);

/** What a card is called: Visa •••• 4242. */
export const cardName = (t: TFunction, { brand, last4 }: Pick<Card, "brand" | "last4">): string =>
  t("payments.methods.card", { brand: brandName(t, brand), last4 });

/** Month and year, as on the card: 03/29. */
export const expiryOf = ({ exp_month, exp_year }: Pick<Card, "exp_month" | "exp_year">): string =>
  `${String(exp_month).padStart(2, "0")}/${String(exp_year % 100).padStart(2, "0")}`;

/** A card can be used until the end of its month. */
export const isExpired = ({ exp_month, exp_year }: Pick<Card, "exp_month" | "exp_year">, now: Date): boolean =>
  Date.UTC(exp_year, exp_month) <= now.getTime();
