import { AppError, type passwords, type Received } from "@terrarium/contract";
import { transaction } from "../../platform/db/transaction.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { admitMail } from "../../platform/mail/mail-limits.ts";
import { hashLinkKey } from "../../platform/mail/mailed-link.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { networkOf, networksOf } from "../../platform/network-of.ts";
import { countNetworks } from "../../platform/rate-limits/count-networks.ts";
import { type Limit, MAX_WINDOW_MS } from "../../platform/rate-limits/database-rate-limiter.ts";
import { byCaller, type Requested } from "../audit/by.ts";
import type { BotCheck } from "../bot-check/bot-check.ts";
import { endSessionsOf } from "../sessions/end-all.ts";
import { refuseCommonPassword } from "../users/common-passwords.ts";
import { hashPassword } from "../users/passwords.ts";
import { setPasswordHash } from "../users/set-password-hash.ts";
import { otherWaysIn } from "./other-ways.ts";
import { changedMail } from "./password-mails.ts";
import { mailPasswordLink } from "./passwords.jobs.ts";
import { findLinkOwner, type LinkOwner, lockLinkOwner } from "./passwords.store.ts";
import type { LinkingDeps } from "../deps.ts";

export interface PasswordDeps extends LinkingDeps {
  botCheck: BotCheck;
}

/** Links that a client may ask for without showing that it is no program: clients that exist cannot show it. */
const unproven: Limit = { name: "mails: client without a bot check", max: 10, windowMs: MAX_WINDOW_MS };

/**
 * Has a link mailed with which a password can be replaced. Whether an account has the address shows neither in the reply nor in its time.
 * @throws AppError BOT_CHECK_FAILED, TOO_MANY_REQUESTS, or SERVICE_UNAVAILABLE if the check could not be made
 */
export async function requestPasswordLink(
  { db, clock, limiter, botCheck, pagesAt }: PasswordDeps,
  { email, turnstileCaptcha_token: proof }: Received<typeof passwords.requestLink>["body"],
  { ip, requestId }: Requested,
): Promise<void> {
  if (proof !== undefined) await botCheck.check(proof, ip);
  else if ((await countNetworks(limiter, unproven, networksOf(ip))).over) throw new AppError("BOT_CHECK_FAILED");
  await admitMail(limiter, { kind: "password", email, ip });
  await enqueue(db, clock, mailPasswordLink, { email, origin: pagesAt(), address: ip, requestId });
}

/**
 * Whose password a mailed link is for.
 * @throws AppError LINK_EXPIRED
 */
export async function ownerOfLink({ db, clock }: PasswordDeps, key: string): Promise<LinkOwner> {
  const owner = await findLinkOwner(db, hashLinkKey(key), new Date(clock.now()));
  if (!owner) throw new AppError("LINK_EXPIRED");
  return owner;
}

/**
 * Replaces a password by a mailed link, and ends the user's sessions. The link works once, as it is for the former password; so do all other
 * links that were mailed. API tokens continue to work, as programs use them.
 * @throws AppError LINK_EXPIRED, PASSWORD_TOO_COMMON, or TOO_MANY_REQUESTS and SERVICE_UNAVAILABLE if too many wait for their hashes
 */
export async function resetByLink(
  deps: PasswordDeps,
  { reset_key: key, new_password: password }: { reset_key: string; new_password: string },
  from: Requested,
): Promise<void> {
  const { db, clock, audit, pagesAt } = deps;
  // Nobody without a link has anything hashed.
  await ownerOfLink(deps, key);
  await refuseCommonPassword(password);
  const password_hash = await hashPassword(password, { lane: networkOf(from.ip), isKnown: false });
  await transaction(db, async (trx) => {
    const now = new Date(clock.now());
    const owner = await lockLinkOwner(trx, hashLinkKey(key), now);
    if (!owner) throw new AppError("LINK_EXPIRED");
    const { uuid, email, organization_uuid: organization } = owner;
    await setPasswordHash(trx, uuid, password_hash);
    const sessions = await endSessionsOf(trx, uuid, now);
    await audit.record(trx, byCaller(from), {
      action: "user.reset_password",
      subject: { kind: "user", uuid },
      organization,
      details: { sessions, by: "link" },
    });
    const others = await otherWaysIn(trx, uuid, pagesAt());
    const mail = changedMail({ email, pagesAt: pagesAt(), others });
    await sendMail(trx, clock, { to: { address: email }, ...mail });
  });
}
