import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import { layOut } from "../../platform/mail/layout.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { findManagers } from "./organizations.store.ts";

/** A rule of an organization that has changed. */
export interface RuleChange {
  organization: string;
  /** The address of the manager who has changed it; undefined if it was the operator. */
  by: string | undefined;
  /** The origin of the service's pages. */
  pagesAt: string;
  /** A sentence without its full stop. */
  rule: string;
  /** What it means to the members of an organization of this name, with who has set it. */
  paragraphs: (who: string, name: string) => string[];
}

/** Mails all managers of an organization that one of its rules has changed, so that they notice if none of them meant it. */
export async function mailManagers(
  trx: Database,
  clock: Clock,
  { organization, by, pagesAt, rule, paragraphs }: RuleChange,
): Promise<void> {
  for (const { address, name } of await findManagers(trx, organization)) {
    const mail = layOut({
      subject: `${rule} in ${name}`,
      heading: rule,
      paragraphs: paragraphs(by ?? "The operator of this service", name),
      footer:
        by === undefined
          ? "If you did not expect this, ask whoever runs this service."
          : `If you did not expect this, ask ${by}. If it was not them, they should set another password at once: ${pagesAt}/password-reset`,
    });
    await sendMail(trx, clock, { to: { address }, ...mail });
  }
}
