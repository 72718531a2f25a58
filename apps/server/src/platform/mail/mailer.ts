import { createTransport } from "nodemailer";
import { PermanentError } from "../jobs/job.ts";
import type { Mail, Mailbox } from "./mail.ts";

/** Sends mails. */
export interface Mailer {
  /**
   * Resolves when a server has taken the mail.
   * @param id The same for each try, so that a mail that was sent twice can be known by it.
   * @throws PermanentError when the server refused this mail, or its recipient, for good.
   */
  send(id: string, mail: Mail, signal: AbortSignal): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** RFC 5321 section 4.5.3.2 lets a server take minutes; one that is silent for so long has gone. */
const SILENCE_TIMEOUT_MS = 60_000;

/**
 * A mailer on an SMTP server, RFC 5321. A connection is made for each mail.
 * @param url `smtp://user:password@host:587` turns to TLS when the server can, `smtps://` begins with it.
 */
export function smtpMailer({ url, from }: { url: string; from: Mailbox }): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // A mail is what its parts say, and never a file or a page of ours.
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

/** A 5xx reply is final, RFC 5321 section 4.2.1. Not to the greeting or to our password: an operator can mend that. */
function isRefusal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return (code === "EENVELOPE" || code === "EMESSAGE") && responseCode >= 500 && responseCode < 600;
}
