import type { Clock } from "@terrarium/clock";
import { Email } from "@terrarium/contract";
import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { defineJob } from "../../platform/jobs/job.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { linkMail } from "./password-mails.ts";
import { makePasswordLink } from "./make-link.ts";
import { deleteLinksExpiredBy } from "./passwords.store.ts";
import type { FeatureDeps } from "../deps.ts";

const HOUR_MS = 60 * 60 * 1000;

type MailDeps = FeatureDeps;

/**
 * Mails a link to set a new password, if somebody has the address. That this is a job, whether or not there is such an account, makes the
 * reply to the request take equally long.
 */
export const mailPasswordLink = defineJob({
  name: "mail-password-link",
  payload: z.object({ email: Email, origin: z.url(), address: z.string(), requestId: z.string() }),
  run: ({ db, clock, audit }: MailDeps, { email, origin, address, requestId }) =>
    transaction(db, async (trx) => {
      const link = await makePasswordLink(trx, clock, { email, origin });
      if (!link) return;
      const { url, owner } = link;
      const mail = linkMail({ email, url });
      await sendMail(trx, clock, { to: { address: email }, ...mail }, { key: `password link ${requestId}` });
      const subject = { kind: "user", uuid: owner.uuid } as const;
      const act = { action: "user.mail_password_link", subject, organization: owner.organization_uuid } as const;
      await audit.record(trx, { kind: "nobody", address, requestId }, act);
    }),
});

/** Deletes links that no longer work. */
export const deleteOldPasswordLinks: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: HOUR_MS,
  run: ({ db, clock }) => deleteLinksExpiredBy(db, new Date(clock.now())),
};
