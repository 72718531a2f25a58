import { limits } from "@terrarium/contract";
import { layOut, paragraphsOf } from "../../platform/mail/layout.ts";
import type { Mail } from "../../platform/mail/mail.ts";

export interface InvitationMail {
  to: string;
  inviter: { email: string; first_name: string; last_name: string };
  organization: string;
  message: string;
  url: string;
}

/** Invites somebody to an organization. */
export function invitationMail({ to, inviter, organization, message, url }: InvitationMail): Mail {
  const name = `${inviter.first_name} ${inviter.last_name}`.trim() || inviter.email;
  const content = layOut({
    subject: `${name} invites you to ${organization} on Terrarium`,
    heading: `Join ${organization}`,
    paragraphs: [
      `${name} (${inviter.email}) invites you to use virtual Android devices with ${organization}.`,
      ...paragraphsOf(message),
      `The link works once, and for ${limits.invitationDays} days.`,
    ],
    action: { label: "Join", url },
    footer: `You get this mail because ${inviter.email} entered ${to} on Terrarium. If you do not want to join, do nothing.`,
  });
  return { to: { address: to }, ...content };
}
