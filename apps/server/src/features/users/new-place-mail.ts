import { layOut } from "../../platform/mail/layout.ts";
import type { MailContent } from "../../platform/mail/mail.ts";

interface Place {
  email: string;
  at: Date;
  /** As `deviceOf`. */
  device: string;
  address: string;
  /** The list of places where the reader is signed in. */
  url: string;
}

const time = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** The mail about a sign-in from a new place, so that its owner notices if it was not them. */
export const newPlaceMail = ({ email, at, device, address, url }: Place): MailContent =>
  layOut({
    subject: "New sign-in to your Terrarium account",
    heading: "Somebody signed in from a new place",
    paragraphs: [
      `The account ${email} was signed in to on ${time.format(at)} UTC, with ${device || "an unknown program"}, from the address ${address}.`,
      "If this was you, there is nothing to do. If it was not, sign that place out and set another password.",
    ],
    action: { label: "See where you are signed in", url },
    footer: "You get this mail because nobody had signed in to your account from there before.",
  });
