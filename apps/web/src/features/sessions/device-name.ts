import type { SignInSession } from "@terrarium/contract";
import type { TFunction } from "i18next";

/** What a browser or program is called; some say nothing of themselves. */
export const deviceName = (t: TFunction, { device }: Pick<SignInSession, "device">): string =>
  device || t("sessions.unknown");
