import type { Clock } from "@terrarium/clock";
import { Email, limits } from "@terrarium/contract";
import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { defineJob } from "../../platform/jobs/job.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { newLinkKey } from "../../platform/mail/mailed-link.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { hasAccount } from "../users/create-user.ts";
import { confirmMail, knownMail } from "./account-mails.ts";
import { deleteOlderThan, deleteSignUpsOf, findLastSignUp, findSignUp, insertLink } from "./accounts.store.ts";
import type { FeatureDeps } from "../deps.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Until then, another link can be mailed. */
const RETENTION_MS = 30 * DAY_MS;

type MailDeps = FeatureDeps;

/**
 * Mails the link that confirms the address of a sign-up, by default of the last one with the address; or says that there is an account
 * already. That this is a job makes the replies to requests take equally long, whoever has the address.
 */
export const mailSignUpLink = defineJob({
  name: "mail-sign-up-link",
  payload: z.object({
    email: Email,
    signUp: z.uuid().optional(),
    origin: z.url(),
    redirect: z.string().optional(),
    // Jobs that an older server enqueued have none.
    address: z.string().optional(),
    requestId: z.string(),
  }),
  run: ({ db, clock, audit }: MailDeps, { email, signUp: uuid, origin, redirect, address, requestId }) =>
    transaction(db, async (trx) => {
      const signUp = await (uuid === undefined ? findLastSignUp(trx, email) : findSignUp(trx, uuid));
      if (!signUp) return;
      await audit.record(
        trx,
        { kind: "nobody", ...(address && { address }), requestId },
        { action: "user.mail_activation_link" },
      );
      const onTheWay = redirect === undefined ? "" : `redirect=${encodeURIComponent(redirect)}`;
      const send = (mail: ReturnType<typeof confirmMail>) =>
        sendMail(trx, clock, { to: { address: email }, ...mail }, { key: `sign-up ${requestId}` });
      if (await hasAccount(trx, email)) {
        await deleteSignUpsOf(trx, email);
        return send(knownMail({ email, origin, signInUrl: `${origin}/signin${onTheWay && `?${onTheWay}`}` }));
      }
      const { key, hash: key_hash } = newLinkKey();
      const expires_at = new Date(clock.now() + limits.activationLinkDays * DAY_MS);
      await insertLink(trx, { key_hash, email, sign_up_uuid: signUp.uuid, expires_at });
      const url = `${origin}/signup-confirm?key=${key}${onTheWay && `&${onTheWay}`}`;
      return send(confirmMail({ email, organization: signUp.organization_name, url }));
    }),
});

/** Forgets sign-ups that nobody has confirmed, and links that no longer work. */
export const deleteOldSignUps: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: HOUR_MS,
  run: ({ db, clock }) => deleteOlderThan(db, new Date(clock.now() - RETENTION_MS)),
};
