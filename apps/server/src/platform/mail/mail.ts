import { Email } from "@terrarium/contract";
import { z } from "zod";

/** What a template returns: the mail as plain text and as HTML. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** Text for a mail header. A line break would inject another header. */
const HeaderText = z
  .string()
  .max(500)
  .regex(/^\P{Cc}*$/u, "Must not contain control characters");

/** An address, with a display name if known. */
export const Mailbox = z.object({ name: HeaderText.default(""), address: Email });
export type Mailbox = z.input<typeof Mailbox>;

export const Mail = z.object({ to: Mailbox, subject: HeaderText.min(1), text: z.string(), html: z.string() });
export type Mail = z.input<typeof Mail>;

/** Parses `Terrarium <devices@example.com>`, or an address alone. */
export const MailboxText = z.string().transform((text, context) => {
  const [, name = "", address = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text) ?? [];
  const read = Mailbox.safeParse({ name, address });
  if (read.success) return read.data;
  context.addIssue("Must be an address, or a name and the address in angle brackets");
  return z.NEVER;
});
