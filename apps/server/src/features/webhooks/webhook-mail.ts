import { layOut } from "../../platform/mail/layout.ts";
import type { MailContent } from "../../platform/mail/mail.ts";

/** Notifies a manager that nothing is sent to a webhook any more, and why. */
export const disabledMail = ({
  uuid,
  url,
  why,
  pagesAt,
}: {
  uuid: string;
  url: string;
  why: "failing" | "gone";
  pagesAt: string;
}): MailContent =>
  layOut({
    subject: `A webhook of your organization was disabled: ${new URL(url).host}`.slice(0, 250),
    heading: "A webhook was disabled",
    paragraphs: [
      why === "gone"
        ? `${url} answered that it is gone (410), so nothing is sent to it any more.`
        : `${url} has accepted nothing for days, so nothing is sent to it any more.`,
      "When it works again, enable it and replay what has failed. What happens until then is not recorded for it.",
    ],
    action: { label: "Open the webhook", url: `${pagesAt}/administration/webhooks/${uuid}` },
    footer: "You get this mail because you manage an organization.",
  });
