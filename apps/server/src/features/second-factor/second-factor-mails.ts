import { layOut } from "../../platform/mail/layout.ts";
import type { MailContent } from "../../platform/mail/mail.ts";
import type { Factor } from "./second-factor.store.ts";

interface About {
  /** The address of the account. */
  email: string;
  /** The origin of the service's pages. */
  pagesAt: string;
}

/** With their articles. */
const names: Record<Factor, string> = { totp: "an authenticator app" };

const notYou = ({ pagesAt }: About) => `If this was not you, set another password at once: ${pagesAt}/password-reset`;

/** A new password ends the owner's sessions and leaves the stranger's factor: without another way in, that locks the owner out. */
const removeIt = ({ pagesAt }: About) =>
  `If this was not you, remove it while you are signed in, at ${pagesAt}/profile#second-factor, and then change your password there: ` +
  "a new password alone does not remove it. If you cannot sign in any more, ask whoever runs this service.";

/** Tells the owner of an account that sign-ins are confirmed in a new way. */
export const addedMail = (factor: Factor, about: About): MailContent =>
  layOut({
    subject: "A second factor was added to your Terrarium account",
    heading: "A second factor was added",
    paragraphs: [
      `Signing in to the account ${about.email} can now be confirmed with ${names[factor]}.`,
      "Keep your recovery codes where you find them without your phone.",
    ],
    footer: removeIt(about),
  });

/**
 * Tells the owner that a way to confirm sign-ins has gone.
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
    footer: notYou(about),
  });

/** Tells the owner that somebody signed in with one of their recovery codes. */
export const recoveryCodeMail = (left: number, about: About): MailContent =>
  layOut({
    subject: "A recovery code of your Terrarium account was used",
    heading: "A recovery code was used",
    paragraphs: [
      `Somebody signed in to the account ${about.email} with a recovery code. ${left === 1 ? "1 code is" : `${left} codes are`} left.`,
      "You can get new ones in your profile.",
    ],
    action: { label: "Open your profile", url: `${about.pagesAt}/profile#second-factor` },
    footer: notYou(about),
  });
