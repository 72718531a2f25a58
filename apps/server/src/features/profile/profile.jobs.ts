import type { Clock } from "@terrarium/clock";
import { statesThatTake } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import type { Logger } from "../../platform/log.ts";
import type { Mailer } from "../../platform/mail/mailer.ts";
import { byService } from "../audit/by.ts";
import { demoAccounts } from "../demo/demo.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { ownAccounts } from "../organizations/own-account.ts";
import { endAccount, refusalOf } from "./delete-account.ts";
import { findAbandonedDevices, lockAccount } from "./delete-account.store.ts";
import { noticeMail } from "./profile-mails.ts";
import { findUnused, isUnused, noteNotice, noteSentNotices, withdrawNotices } from "./unused-accounts.store.ts";
import type { FeatureDeps } from "../deps.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What is announced comes true after these. */
const NOTICE_DAYS = 30;

interface Deps extends FeatureDeps {
  log: Logger;
  /** Undefined when mails are stored and not sent. */
  mailer: Mailer | undefined;
  retention: { accountDays: number };
  /** Where mailed links lead. */
  pagesAt: () => string;
}

/**
 * Deletes accounts that nobody has used for as long as the setting says, a month after their owners were notified by mail. Demo accounts,
 * the service's own, and those that an organization cannot do without, stay. Without a mailer all stay, as nobody could be notified.
 */
export const deleteUnusedAccounts: Periodic<Deps> = {
  everyMs: HOUR_MS,
  async run(deps) {
    const { db, clock, log, mailer, retention } = deps;
    if (!mailer) return;
    const unusedSince = new Date(clock.now() - retention.accountDays * DAY_MS);
    const announcedBy = new Date(clock.now() - NOTICE_DAYS * DAY_MS);
    await noteSentNotices(db);
    await withdrawNotices(db, unusedSince);
    const unused = await findUnused(db, {
      unusedSince,
      except: [...demoAccounts, ...ownAccounts.map((account) => account.uuid)],
    });
    for (const { uuid, deletion_notice_mail: written, deletion_notice_at: sent } of unused) {
      try {
        if (written === null) await announce(deps, uuid, unusedSince);
        else if (sent !== null && sent <= announcedBy) await end(deps, uuid, unusedSince);
      } catch (error) {
        log.error(
          { err: error, user: uuid },
          "an unused account could not be announced or deleted and will be tried again",
        );
      }
    }
  },
};

/** Only one process does so, as the row of the account is locked. */
const announce = ({ db, clock, audit, pagesAt }: Deps, uuid: string, unusedSince: Date): Promise<void> =>
  transaction(db, async (trx) => {
    const now = new Date(clock.now());
    const account = await lockAccount(trx, uuid, now);
    const notice = randomUUID();
    if (!account || refusalOf(account) || !(await noteNotice(trx, uuid, { unusedSince, mail: notice }))) return;
    const date = new Date(now.getTime() + NOTICE_DAYS * DAY_MS);
    const mail = noticeMail({ email: account.email, date, url: `${pagesAt()}/signin` });
    await sendMail(trx, clock, { to: { address: account.email }, ...mail }, { uuid: notice });
    await audit.record(trx, byService, {
      action: "user.announce_deletion",
      subject: { kind: "user", uuid },
      organization: account.organization?.uuid ?? null,
    });
  });

const end = ({ db, clock, audit }: Deps, uuid: string, unusedSince: Date): Promise<void> =>
  transaction(db, async (trx) => {
    const account = await lockAccount(trx, uuid, new Date(clock.now()));
    // It may have been used since it was found.
    if (account && !refusalOf(account) && (await isUnused(trx, uuid, unusedSince)))
      await endAccount(trx, { clock, audit }, account, byService, "unused");
  });

/** Stops devices that were being saved when their owner's account was deleted. */
export const stopAbandonedDevices: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: MINUTE_MS,
  async run({ db, clock }) {
    for (const { uuid } of await findAbandonedDevices(db, statesThatTake("stop")))
      await moveInstance(db, { uuid, event: "stop", reason: "account_deleted", now: new Date(clock.now()) });
  },
};
