import { layOut } from "../../platform/mail/layout.ts";
import type { MailContent } from "../../platform/mail/mail.ts";

interface Told {
  /** The address of the account. */
  email: string;
  /** What its owner calls the passkey. */
  name: string;
  /** The origin of the service's pages. */
  pagesAt: string;
}

/** Tells the owner of an account that one can sign in to it in another way, so that they notice if it was not them. */
export const addedMail = ({ email, name, pagesAt }: Told): MailContent =>
  layOut({
    subject: "A passkey was added to your Terrarium account",
    heading: "A passkey was added",
    paragraphs: [`The account ${email} can now be signed in to with the passkey “${name}”, without its password.`],
    action: { label: "See your passkeys", url: `${pagesAt}/profile#passkeys` },
    footer: `If this was not you, set another password at once, and remove the passkey in your profile: ${pagesAt}/password-reset`,
  });

/** Tells the owner that a way of signing in has ended. */
export const removedMail = ({ email, name, pagesAt }: Told): MailContent =>
  layOut({
    subject: "A passkey was removed from your Terrarium account",
    heading: "A passkey was removed",
    paragraphs: [`The account ${email} can no longer be signed in to with the passkey “${name}”.`],
    footer: `If this was not you, set another password at once: ${pagesAt}/password-reset`,
  });
