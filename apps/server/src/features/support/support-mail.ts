import { layOut } from "../../platform/mail/layout.ts";
import type { MailContent } from "../../platform/mail/mail.ts";

/** The mail in which the operator gets somebody's message. */
export const supportMail = ({
  topic,
  email,
  message,
  page,
}: {
  topic: "support" | "feedback";
  email: string;
  message: string;
  page?: string | undefined;
}): MailContent =>
  layOut({
    subject: `Terrarium ${topic}: ${email}`,
    heading: `${topic === "feedback" ? "Feedback" : "A message"} from ${email}`,
    paragraphs: [...message.split(/\n{2,}/), ...(page ? [`Sent from the page ${page}.`] : [])],
    footer: "The sender's address was typed by them and is not verified. Reply to it, not to this mail.",
  });
