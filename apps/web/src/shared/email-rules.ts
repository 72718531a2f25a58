import { email } from "@terrarium/contract";
import type { TFunction } from "i18next";
import type { Broken } from "../components/form/app-form.ts";

export const isEmail = (text: string): boolean => text.trim() !== "" && email(text) === undefined;

/** The rules of a field for several addresses: each is well-formed, and with `others` that count as well they are `max` at most. */
export const emailRules = <Values>(t: TFunction, max: number, others: (values: Values) => number = () => 0) => [
  (emails: readonly string[]): Broken | undefined =>
    emails.every(isEmail) ? undefined : { message: t("invitation.emails.invalid") },
  (emails: readonly string[], values: Values): Broken | undefined =>
    emails.length + others(values) > max ? { message: t("invitation.emails.limit", { limit: max }) } : undefined,
];
