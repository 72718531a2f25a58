import { type PlanRequestKind, trialTerms } from "@terrarium/contract";
import { layOut } from "../../platform/mail/layout.ts";
import type { MailContent } from "../../platform/mail/mail.ts";

const called: Record<PlanRequestKind, string> = {
  enterprise: "an enterprise trial",
  individual: "an individual trial",
  premium: "a Premium plan",
};

interface About {
  kind: PlanRequestKind;
  /** The name of the organization. */
  organization: string;
  /** The origin of the service's pages. */
  pagesAt: string;
}

/** Notifies whoever runs the service that there is something to decide. */
export const askedMail = ({
  kind,
  organization,
  pagesAt,
  askedBy,
  form,
}: About & { askedBy: string; form: Readonly<Record<string, string>> }): MailContent =>
  layOut({
    subject: oneLine(`${organization} asks for ${called[kind]}`),
    heading: `${organization} asks for ${called[kind]}`,
    paragraphs: [
      `Asked by ${askedBy}.`,
      ...Object.entries(form)
        .filter(([, value]) => value !== "")
        .map(([name, value]) => `${name}: ${value}`),
    ],
    action: { label: "Decide", url: `${pagesAt}/operator/requests` },
    footer: "You get this mail because you are the contact of this service. What was typed in is not verified.",
  });

/** Confirms to whoever has asked that the request was received. */
export const receivedMail = ({ kind, organization, pagesAt, days }: About & { days: number }): MailContent =>
  layOut({
    subject: oneLine(`Your request for ${called[kind]}`),
    heading: `We have your request for ${called[kind]}`,
    paragraphs: [
      `It is for ${organization}. We look at each request ourselves, which takes ${days === 1 ? "a business day" : `${days} business days`}, and answer by mail.`,
    ],
    action: { label: "Plans & billing", url: `${pagesAt}/administration/billing` },
    footer: `You get this mail because you asked for it on Terrarium.`,
  });

/** Notifies the managers of the decision. */
export const decidedMail = ({
  kind,
  organization,
  pagesAt,
  ...decided
}: About & ({ isApproved: true; ends: Date | undefined } | { isApproved: false; reason: string })): MailContent => {
  const paragraphs = decided.isApproved
    ? [termsOf(kind, organization, decided.ends)]
    : [`${organization} gets no ${called[kind].replace(/^an? /, "")} this time.`, decided.reason].filter(Boolean);
  return layOut({
    subject: oneLine(`Your request for ${called[kind]} was ${decided.isApproved ? "approved" : "rejected"}`),
    heading: decided.isApproved ? "Your request was approved" : "Your request was rejected",
    paragraphs,
    action: { label: "Plans & billing", url: `${pagesAt}/administration/billing` },
    footer: `You get this mail because you manage ${organization} on Terrarium.`,
  });
};

function termsOf(kind: PlanRequestKind, organization: string, ends: Date | undefined): string {
  if (kind === "premium")
    return `The Premium plan of ${organization} is being set up. Your devices and your limits are shown below.`;
  const { devices, minutes } = trialTerms[kind];
  const until = ends?.toISOString().slice(0, 10);
  return `${organization} can run ${devices} devices at once, and has ${minutes.toLocaleString("en")} free minutes, until ${until}. Nothing is billed, and nothing renews by itself.`;
}

/** A subject is one header line of at most 500 characters. */
const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, " ").slice(0, 500);
