import { randomUUID } from "node:crypto";
import type { Clock } from "@terrarium/clock";
import type { Kysely, QueryExecutorProvider } from "kysely";
import { z } from "zod";
import { transaction } from "../db/transaction.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { cancelJobs, deadJobs } from "../jobs/job-rows.ts";
import { defineJob } from "../jobs/job.ts";
import type { Periodic } from "../jobs/periodic.ts";
import { Mail } from "./mail.ts";
import { addMail, findStuck, findUnsent, deleteMails, markSent } from "./mail-rows.ts";
import type { Mailer } from "./mailer.ts";

const HOUR_MS = 60 * 60 * 1000;
const RETENTION_MS = 30 * 24 * HOUR_MS;

interface SendDeps {
  db: QueryExecutorProvider;
  clock: Clock;
  /** Undefined without an SMTP server: mails are only stored in the database. */
  mailer: Mailer | undefined;
}

/**
 * Enqueues a mail, which is sent after the transaction commits. A second call with the same key does nothing.
 * @throws ZodError for an invalid address, or a name or subject with control characters.
 */
export async function sendMail<Schema>(
  db: Kysely<Schema>,
  clock: Clock,
  mail: Mail,
  { uuid = randomUUID(), ...options }: { key?: string; uuid?: string } = {},
): Promise<void> {
  const checked = Mail.parse(mail);
  await transaction(db, async (trx) => {
    if (await enqueue(trx, clock, sendMailJob, { mail: uuid }, options))
      await addMail(trx, uuid, checked, new Date(clock.now()));
  });
}

/** A server may be down for a weekend: the last attempt is three days after the first. */
export const sendMailJob = defineJob({
  name: "send-mail",
  payload: z.object({ mail: z.uuid() }),
  retry: { attempts: 24, firstMs: 15_000, longestMs: 6 * HOUR_MS },
  async run({ db, clock, mailer }: SendDeps, { mail: uuid }, signal) {
    const mail = mailer && (await findUnsent(db, uuid));
    if (!mail) return;
    const { name, address, ...content } = mail;
    await mailer.send(uuid, { to: { name, address }, ...content }, signal);
    await markSent(db, uuid, new Date(clock.now()));
  },
});

/** Sees to it that mails which wait are never sent, and says why in their jobs; returns how many. They stay stored. */
export const cancelMails = (db: QueryExecutorProvider, at: Date, error: string): Promise<number> =>
  cancelJobs(db, sendMailJob.name, { at, error });

/**
 * Since when mails to this many recipients have waited that are younger than the last one that a server took: an older one waits because of
 * its own recipient.
 */
export const stuckSince = (db: QueryExecutorProvider, recipients = 1): Promise<Date | null> =>
  findStuck(db, sendMailJob.name, recipients);

/** Which of these mails, enqueued with their identifiers as keys, will never arrive: they were refused, or tried too often. */
export const failedMails = (db: QueryExecutorProvider, uuids: readonly string[]): Promise<Set<string>> =>
  deadJobs(db, sendMailJob.name, uuids);

/** Deletes mails after 30 days, sent or not. */
export const deleteOldMails: Periodic<{ db: QueryExecutorProvider; clock: Clock }> = {
  everyMs: HOUR_MS,
  run: ({ db, clock }) => deleteMails(db, new Date(clock.now() - RETENTION_MS)),
};
