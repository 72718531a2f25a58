import { AppError, type Answer, type mailbox, type Received } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { isLoopback } from "../../platform/http/hosts.ts";
import { findUnsent, listUnsent, type UnsentMail } from "../../platform/mail/mail-rows.ts";

/** The page shows the last ones. */
const MAX_SHOWN = 50;

export interface MailboxDeps {
  db: Database;
  publicSettings: { has_mailbox: boolean };
}

/** Where a request comes from. */
type Way = Received<typeof mailbox.list>["headers"] & { ip: string };

/**
 * Mails give access to accounts. So only a demonstration shows them, on its own machine, to whoever can sign in with the published passwords
 * anyway; not to a page whose name was pointed at this machine (DNS rebinding), and not through a proxy that was not declared.
 * @throws AppError ROUTE_NOT_FOUND
 */
function checkWay(
  { publicSettings }: MailboxDeps,
  { ip, host, forwarded, "x-forwarded-for": forwardedFor }: Way,
): void {
  const isForwarded = (forwarded ?? forwardedFor) !== undefined;
  const isOwn = isLoopback(ip) && isLoopback(URL.parse(`http://${host}`)?.hostname ?? "") && !isForwarded;
  if (!publicSettings.has_mailbox || !isOwn) throw new AppError("ROUTE_NOT_FOUND");
}

/** The last mails, the newest first. */
export async function listMails(deps: MailboxDeps, way: Way): Promise<Answer<typeof mailbox.list>> {
  checkWay(deps, way);
  return { mails: (await listUnsent(deps.db, MAX_SHOWN)).map(present) };
}

/** @throws AppError MAIL_NOT_FOUND */
export async function getMail(deps: MailboxDeps, way: Way, uuid: string): Promise<Answer<typeof mailbox.get>> {
  checkWay(deps, way);
  const mail = await findUnsent(deps.db, uuid);
  if (!mail) throw new AppError("MAIL_NOT_FOUND");
  return { ...present(mail), text: mail.text, html: mail.html };
}

const present = ({ uuid, address, subject, created_at }: Omit<UnsentMail, "text" | "html">) => ({
  uuid,
  to: address,
  subject,
  created_at: created_at.toISOString(),
});
