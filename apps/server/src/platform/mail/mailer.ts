import { createTransport } from "nodemailer";
import { PermanentError } from "../jobs/job.ts";
import type { Mail, Mailbox } from "./mail.ts";

export interface Mailer {
  /**
   * Resolves when a server has accepted the mail.
   * @param id Becomes the Message-ID. The same for each attempt, so that a mail sent twice can be recognised.
   * @throws PermanentError when the server permanently rejects this mail or its recipient.
   */
  send(id: string, mail: Mail, signal: AbortSignal): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** RFC 5321 section 4.5.3.2 allows a server minutes to answer; after this long without a byte it is considered gone. */
const SILENCE_TIMEOUT_MS = 60_000;

/**
 * Sends mails through an SMTP server (RFC 5321), on a new connection for each.
 * @param url `smtp://user:password@host:587` upgrades to TLS if the server supports it, `smtps://` uses TLS from the start.
 */
export function smtpMailer({ url, from }: { url: string; from: Mailbox }): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // Nodemailer could read content from files and URLs; we never want that.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.address.split("@").at(-1);
  const plain = ({ name = "", address }: Mailbox) => ({ name, address });
  return {
    async send(id, { to, subject, text, html }, signal) {
      const message = { from: plain(from), to: plain(to), subject, text, html };
      await transport.sendMail({ ...message, messageId: `<${id}@${domain}>`, signal }).catch((error: unknown) => {
        throw isRefusal(error) ? new PermanentError((error as Error).message, { cause: error }) : error;
      });
    },
  };
}

/** A 5xx reply is permanent (RFC 5321 section 4.2.1). But one to the greeting or our password is not: an operator can fix that. */
function isRefusal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return (code === "EENVELOPE" || code === "EMESSAGE") && responseCode >= 500 && responseCode < 600;
}
