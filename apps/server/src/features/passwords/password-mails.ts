import { limits } from "@terrarium/contract";
import { layOut } from "../../platform/mail/layout.ts";
import type { MailContent } from "../../platform/mail/mail.ts";

/** The mail with a link to set a new password. */
export const linkMail = ({ email, url }: { email: string; url: string }): MailContent =>
  layOut({
    subject: "Set a new password for Terrarium",
    heading: "Set a new password",
    paragraphs: [
      `Somebody asked for a new password for the account ${email}. If it was you, set it here.`,
      `The link works once, and for ${limits.passwordLinkHours} hours.`,
    ],
    action: { label: "Set a new password", url },
    footer: "If you did not ask for this, do nothing: your password stays as it is.",
  });

interface Changed {
  email: string;
  /** The origin of the service's pages. */
  pagesAt: string;
  /** What was signed out. */
  ended?: string;
  /** With what else one can sign in: a stranger who was signed in for a while may have added it. */
  others: readonly string[];
}

/** The mail about a new password, so that its owner notices if it was not them. */
export const changedMail = ({ email, pagesAt, ended = "every browser", others }: Changed): MailContent =>
  layOut({
    subject: "Your Terrarium password was changed",
    heading: "Your password was changed",
    paragraphs: [
      `The account ${email} has a new password, and ${ended} was signed out.`,
      "API tokens continue to work. If somebody else may have had access, revoke them as well.",
      ...(others.length === 0
        ? []
        : [
            `It can still be signed in to with ${listOf(others)}. If you did not add this, remove it in your profile: ${pagesAt}/profile`,
          ]),
    ],
    footer: notYou(pagesAt),
  });

/** The end of a mail about a change that a stranger may have made. */
export const notYou = (pagesAt: string): string =>
  `If this was not you, set another password at once: ${pagesAt}/password-reset`;

const listOf = (parts: readonly string[]): string => new Intl.ListFormat("en").format(parts);
