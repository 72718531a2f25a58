import { layOut } from "../../platform/mail/layout.ts";
import type { MailContent } from "../../platform/mail/mail.ts";
import type { RuleChange } from "../organizations/mail-managers.ts";
import { notYou } from "../passwords/password-mails.ts";
import type { Factor } from "./second-factor.store.ts";

interface About {
  /** The address of the account. */
  email: string;
  /** The origin of the service's pages. */
  pagesAt: string;
}

/** With their articles. */
const names: Record<Factor, string> = { totp: "an authenticator app", passkey: "a passkey" };

/** A new password ends the owner's sessions and leaves the stranger's factor: without another way in, that locks the owner out. */
export const removeIt = (at: string): string =>
  `If this was not you, remove it while you are signed in, at ${at}, and then change your password there: ` +
  "a new password alone does not remove it. If you cannot sign in any more, ask whoever runs this service.";

/** Notifies the owner of an account that sign-ins are confirmed with an authenticator app. Passkeys have mails of their own. */
export const addedMail = (about: About): MailContent =>
  layOut({
    subject: "A second factor was added to your Terrarium account",
    heading: "A second factor was added",
    paragraphs: [
      `Signing in to the account ${about.email} can now be confirmed with ${names.totp}.`,
      "Keep your recovery codes where you find them without your phone.",
    ],
    footer: removeIt(`${about.pagesAt}/profile#second-factor`),
  });

/**
 * Notifies the owner that a way to confirm sign-ins was removed.
 * @param isPasswordEnough whether their password alone signs them in from now on
 */
export const removedMail = (factors: readonly Factor[], isPasswordEnough: boolean, about: About): MailContent =>
  layOut({
    subject: "A second factor was removed from your Terrarium account",
    heading: "A second factor was removed",
    paragraphs: [
      `Signing in to the account ${about.email} can no longer be confirmed with ${factors.map((factor) => names[factor]).join(" or ")}.`,
      ...(isPasswordEnough ? ["It was the last one: the password alone is enough now."] : []),
    ],
    footer: notYou(about.pagesAt),
  });

/** Notifies the owner that somebody signed in with one of their recovery codes. */
export const recoveryCodeMail = (left: number, about: About): MailContent =>
  layOut({
    subject: "A recovery code of your Terrarium account was used",
    heading: "A recovery code was used",
    paragraphs: [
      `Somebody signed in to the account ${about.email} with a recovery code. ${left === 1 ? "1 code is" : `${left} codes are`} left.`,
      "You can get new ones in your profile.",
    ],
    action: { label: "Open your profile", url: `${about.pagesAt}/profile#second-factor` },
    footer: notYou(about.pagesAt),
  });

/** The notice to its managers when an organization has changed its rule. */
export const ruleChange = (is_required: boolean): Pick<RuleChange, "rule" | "paragraphs"> => ({
  rule: is_required ? "Signing in now takes a second factor" : "Signing in no longer takes a second factor",
  paragraphs: (who, name) =>
    is_required
      ? [
          `${who} has set that members of ${name} sign in with a second factor.`,
          "Those who had none were signed out, and set one up when they next sign in. API tokens continue to work.",
        ]
      : [
          `${who} has set that members of ${name} may sign in without a second factor. Those who have one are still asked for it.`,
        ],
});
