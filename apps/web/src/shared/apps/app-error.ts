import type { TFunction } from "i18next";
import { AppError } from "@terrarium/contract";
import { apps } from "../../en/apps.ts";

const { errors, refused } = apps.apps;
const isIn = <Words extends object>(words: Words, key: PropertyKey): key is keyof Words => Object.hasOwn(words, key);
const MB = 1024 ** 2;

/** Why an app was not installed, in a sentence; and in the device's own words, if that sentence leaves anything out. */
export function sayAppError(t: TFunction, error: unknown): { why: string; words?: string | undefined } {
  if (!(error instanceof AppError)) return { why: t("apps.errors.other") };
  const { code, details = {} } = error;
  if (code === "APP_REFUSED") {
    const { reason = "", words } = details;
    return { why: t(`apps.refused.${isIn(refused, reason) ? reason : "other"}`), words };
  }
  const max = Number(details.max_bytes);
  if (code === "BODY_TOO_LARGE" && max > 0)
    return { why: t("apps.errors.BODY_TOO_LARGE_MAX", { max: Math.floor(max / MB) }) };
  return { why: t(`apps.errors.${isIn(errors, code) ? code : "other"}`) };
}
