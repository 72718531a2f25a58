import { layOut } from "../../platform/mail/layout.ts";
import type { MailContent } from "../../platform/mail/mail.ts";
import { notYou } from "../passwords/password-mails.ts";

interface Link {
  /** The address of the account here. */
  email: string;
  /** What the provider is called. */
  label: string;
  /** The address of the account there. */
  there: string;
  /** The origin of the service's pages. */
  pagesAt: string;
}

/** Notifies the owner of an account of a new way to sign in to it, so that they notice if it was not them. */
export const linkedMail = ({ email, label, there, pagesAt }: Link): MailContent =>
  layOut({
    subject: `You can now sign in to Terrarium with ${label}`,
    heading: `${label} was linked`,
    paragraphs: [`The account ${email} can now be signed in to with ${label}, as ${there}.`],
    footer: `If this was not you, set another password at once, and remove the link in your profile: ${pagesAt}/password-reset`,
  });

/** Notifies the owner that a way of signing in has ended. */
export const unlinkedMail = ({ email, label, there, pagesAt }: Link): MailContent =>
  layOut({
    subject: `${label} no longer signs you in to Terrarium`,
    heading: `${label} was unlinked`,
    paragraphs: [`The account ${email} can no longer be signed in to with ${label}, as ${there}.`],
    footer: notYou(pagesAt),
  });
