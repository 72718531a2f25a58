import { email } from "@terrarium/contract";
import type { TFunction } from "i18next";
import type { Broken } from "../components/form/use-form.ts";

export const isEmail = (text: string): boolean => text.trim() !== "" && email(text) === undefined;

/** The rules of a field for several addresses, all of which must be well-formed. `max`: how many it takes. */
export const emailRules = (t: TFunction, max: number) => [
  (emails: readonly string[]): Broken | undefined =>
    emails.every(isEmail) ? undefined : { message: t("invitation.emails.invalid") },
  (emails: readonly string[]): Broken | undefined =>
    emails.length > max ? { message: t("invitation.emails.limit", { limit: max }) } : undefined,
];
