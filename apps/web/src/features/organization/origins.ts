import { origin } from "@terrarium/contract";
import type { TFunction } from "i18next";
import type { Broken } from "../../components/form/app-form.ts";

/** One on each line; a slash at the end, which the address bar of a browser adds, is no part of it. */
export const originsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/\s+/)
      .filter(Boolean)
      .map((line) => (line.startsWith("https://") ? line.toLowerCase().replace(/\/$/, "") : line)),
  ),
];

/** What a field for up to `max` origins asks for. */
export const originRules = (t: TFunction, max: number) => [
  (text: string): Broken | undefined =>
    originsOf(text).length > max ? { message: t("organization.origins.tooMany", { count: max }) } : undefined,
  (text: string) => originsOf(text).map(origin).find(Boolean),
];
