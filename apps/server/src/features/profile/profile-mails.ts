import { layOut } from "../../platform/mail/layout.ts";
import type { MailContent } from "../../platform/mail/mail.ts";

interface Deleted {
  email: string;
  /** The name of the organization that ended with the account. */
  organization: string | undefined;
  reason: "unused" | undefined;
}

/** Confirms that an account was deleted. */
export const deletedMail = ({ email, organization, reason }: Deleted): MailContent =>
  layOut({
    subject: "Your Terrarium account was deleted",
    heading: "Your account was deleted",
    paragraphs: [
      reason === "unused"
        ? `Nobody has signed in to the account ${email} for a long time, so it was deleted, as we announced.`
        : `The account ${email} was deleted. Its devices were stopped, and its API tokens no longer work.`,
      ...(organization === undefined
        ? ["Recipes that you made for an organization stay with it, without your name."]
        : [`Nobody else belonged to ${organization}, so its recipes and saved devices were deleted too.`]),
      "What was used, and the record of who did what, are kept as long as the privacy notice says, without your name and address.",
    ],
    footer: "This is the last mail to you about this account. It cannot be restored.",
  });

/** Announces that an account will be deleted because nobody uses it. */
export const noticeMail = ({ email, date, url }: { email: string; date: Date; url: string }): MailContent =>
  layOut({
    subject: "Your Terrarium account will be deleted",
    heading: "Do you still need your account?",
    paragraphs: [
      `Nobody has signed in to the account ${email} for a long time. It will be deleted on ${sayDate(date)}.`,
      "To keep it, sign in once before that day. Otherwise there is nothing to do.",
    ],
    action: { label: "Sign in", url },
    footer: "We do not keep personal data that nobody needs. You get this mail once.",
  });

const sayDate = (date: Date): string =>
  new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(date);
