import { layOut } from "../../platform/mail/layout.ts";
import type { MailContent } from "../../platform/mail/mail.ts";
import { notYou } from "../passwords/password-mails.ts";
import { removeIt } from "../second-factor/second-factor-mails.ts";

interface About {
  /** The address of the account. */
  email: string;
  /** What its owner calls the passkey. */
  name: string;
  /** The origin of the service's pages. */
  pagesAt: string;
}

/** Notifies the owner of an account of a new way to sign in to it, so that they notice if it was not them. */
export const addedMail = ({ email, name, pagesAt }: About, hasPassword: boolean): MailContent =>
  layOut({
    subject: "A passkey was added to your Terrarium account",
    heading: "A passkey was added",
    paragraphs: [
      `The account ${email} can now be signed in to with the passkey “${name}”, without its password.`,
      ...(hasPassword
        ? [
            "The password alone is no longer enough: whoever signs in with it confirms that with a passkey or another second factor.",
          ]
        : []),
    ],
    action: { label: "See your passkeys", url: `${pagesAt}/profile#passkeys` },
    footer: removeIt(`${pagesAt}/profile#passkeys`),
  });

/**
 * Notifies the owner that a way of signing in has ended.
 * @param isPasswordEnough whether their password alone signs them in from now on
 */
export const removedMail = ({ email, name, pagesAt }: About, isPasswordEnough: boolean): MailContent =>
  layOut({
    subject: "A passkey was removed from your Terrarium account",
    heading: "A passkey was removed",
    paragraphs: [
      `The account ${email} can no longer be signed in to with the passkey “${name}”.`,
      ...(isPasswordEnough ? ["It was the last second factor: the password alone is enough now."] : []),
    ],
    footer: notYou(pagesAt),
  });
