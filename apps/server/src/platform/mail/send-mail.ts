import { randomUUID } from "node:crypto";
import type { Clock } from "@terrarium/clock";
import type { Kysely, QueryExecutorProvider } from "kysely";
import { z } from "zod";
import { transaction } from "../db/transaction.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { defineJob } from "../jobs/job.ts";
import type { Periodic } from "../jobs/periodic.ts";
import { Mail } from "./mail.ts";
import { addMail, findUnsent, forgetMails, markSent } from "./mail-rows.ts";
import type { Mailer } from "./mailer.ts";

const HOUR_MS = 60 * 60 * 1000;
const KEPT_MS = 30 * 24 * HOUR_MS;

interface SendDeps {
  db: QueryExecutorProvider;
  clock: Clock;
  /** Undefined without an SMTP server: mails are kept, to be read in the database. */
  mailer: Mailer | undefined;
}

/**
 * Sends a mail once the transaction commits. With a key, once: a repetition does nothing.
 * @throws ZodError for an address that is none, and for a name or subject that would break out of its header.
 */
export async function sendMail<Schema>(
  db: Kysely<Schema>,
  clock: Clock,
  mail: Mail,
  options: { key?: string } = {},
): Promise<void> {
  const checked = Mail.parse(mail);
  const uuid = randomUUID();
  await transaction(db, async (trx) => {
    if (await enqueue(trx, clock, sendMailJob, { mail: uuid }, options))
      await addMail(trx, uuid, checked, new Date(clock.now()));
  });
}

/** A server that is down may be so for a weekend: the last try is three days after the first. */
export const sendMailJob = defineJob({
  name: "send-mail",
  payload: z.object({ mail: z.uuid() }),
  retry: { attempts: 24, firstMs: 15_000, longestMs: 6 * HOUR_MS },
  async run({ db, clock, mailer }: SendDeps, { mail: uuid }, signal) {
    const mail = mailer && (await findUnsent(db, uuid));
    if (!mail) return;
    await mailer.send(uuid, mail, signal);
    await markSent(db, uuid, new Date(clock.now()));
  },
});

export const forgetOldMails: Periodic<{ db: QueryExecutorProvider; clock: Clock }> = {
  everyMs: HOUR_MS,
  run: ({ db, clock }) => forgetMails(db, new Date(clock.now() - KEPT_MS)),
};
