import { limits } from "@terrarium/contract";
import { layOut } from "../../platform/mail/layout.ts";
import type { MailContent } from "../../platform/mail/mail.ts";

interface Confirm {
  email: string;
  /** Null for a guest. */
  organization: string | null;
  url: string;
}

/**
 * The mail with the link that confirms an address. It says what was typed, so that its reader notices if somebody else signed up with their
 * address, perhaps after they did so themselves.
 */
export const confirmMail = ({ email, organization, url }: Confirm): MailContent =>
  layOut({
    subject: "Confirm your email address for Terrarium",
    heading: "Confirm your email address",
    paragraphs: [
      `Somebody signed up for Terrarium with the address ${email}, ${organization === null ? "without an organization" : `for the organization ${organization}`}. If it was you, confirm it here; then you can sign in.`,
      `The link works once, and for ${limits.activationLinkDays} days.`,
    ],
    action: { label: "Confirm address", url },
    footer: "If this was not you, do not open the link: without it, nobody gets an account with your address.",
  });

/** The mail to somebody who signs up again. The page does not say that they have an account, as anybody could be asking. */
export const knownMail = ({
  email,
  origin,
  signInUrl,
}: {
  email: string;
  origin: string;
  signInUrl: string;
}): MailContent =>
  layOut({
    subject: "You have a Terrarium account already",
    heading: "You have an account already",
    paragraphs: [
      `Somebody signed up for Terrarium with the address ${email}, which has an account already. If it was you, sign in.`,
      `If you forgot your password, set a new one: ${origin}/password-reset`,
    ],
    action: { label: "Sign in", url: signInUrl },
    footer: "If it was not you, do nothing: your account stays as it is.",
  });
