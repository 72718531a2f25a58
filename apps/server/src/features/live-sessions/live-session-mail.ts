import { layOut, paragraphsOf } from "../../platform/mail/layout.ts";
import type { Mail } from "../../platform/mail/mail.ts";

export interface LiveSessionMail {
  to: { email: string };
  /** The owner of the device. */
  from: { email: string; first_name: string; last_name: string };
  session: { uuid: string };
  instance: { name: string };
  message: string;
  /** The origin of the service's pages. */
  pagesAt: string;
}

/** Invites somebody to a live session. */
export function liveSessionMail({ to, from, session, instance, message, pagesAt }: LiveSessionMail): Mail {
  const name = `${from.first_name} ${from.last_name}`.trim() || from.email;
  const content = layOut({
    subject: `${name} invites you to “${instance.name}”`,
    heading: `${name} invites you to a live session`,
    paragraphs: [
      `You can see and use the virtual device “${instance.name}” together, as long as it runs.`,
      ...paragraphsOf(message),
    ],
    action: { label: "Join the live session", url: `${pagesAt}/live-session/${session.uuid}` },
    footer: `You get this mail because ${from.email} invited ${to.email} to a live session on Terrarium.`,
  });
  return { to: { address: to.email }, ...content };
}
