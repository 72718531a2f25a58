import { Email } from "@terrarium/contract";
import { z } from "zod";

/** What a template gives: what the reader sees, in both forms. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** One line of a header. A line break in it would begin a header that we did not write. */
const HeaderText = z
  .string()
  .max(500)
  .regex(/^\P{Cc}*$/u, "Must not contain control characters");

/** Somebody's address, and their name where it is known. */
export const Mailbox = z.object({ name: HeaderText.default(""), address: Email });
export type Mailbox = z.input<typeof Mailbox>;

export const Mail = z.object({ to: Mailbox, subject: HeaderText.min(1), text: z.string(), html: z.string() });
export type Mail = z.input<typeof Mail>;

/** Reads `Terrarium <devices@example.com>`, or the address alone. */
export const MailboxText = z.string().transform((text, context) => {
  const [, name = "", address = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text) ?? [];
  const read = Mailbox.safeParse({ name, address });
  if (read.success) return read.data;
  context.addIssue("Must be an address, or a name and the address in angle brackets");
  return z.NEVER;
});
