import { AppError } from "@terrarium/contract";
import { transaction } from "../../platform/db/transaction.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { byCaller, type Requested } from "../audit/by.ts";
import { endSessionsOf } from "../sessions/end-all.ts";
import { type Actor, sessionOf } from "../sessions/actor.ts";
import { refuseCommonPassword } from "../users/common-passwords.ts";
import { hashPassword } from "../users/passwords.ts";
import { provePassword } from "../users/prove-password.ts";
import { replacePasswordHash } from "../users/set-password-hash.ts";
import { getUser } from "../users/users.ts";
import { otherWaysIn } from "./other-ways.ts";
import { changedMail } from "./password-mails.ts";
import type { PasswordDeps } from "./passwords.ts";

/** What clients that know the original service show. */
const FAILED = "Fail to update password";

/**
 * Replaces the password of somebody who is signed in and knows it. Their other sessions end; this one and API tokens continue to work.
 * @throws AppError WRONG_PASSWORD, NO_PASSWORD, PASSWORD_TOO_COMMON, TOO_MANY_REQUESTS; FORBIDDEN with an API token
 */
export async function changePassword(
  deps: PasswordDeps,
  actor: Actor,
  { old_password, new_password }: { old_password: string; new_password: string },
  from: Requested,
): Promise<void> {
  const { db, clock, audit, pagesAt } = deps;
  const session = sessionOf(actor);
  const former = await provePassword(deps, actor.uuid, old_password).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "WRONG_PASSWORD" ? wrongPassword() : error;
  });
  await refuseCommonPassword(new_password);
  const password_hash = await hashPassword(new_password, { lane: actor.uuid, isKnown: true });
  await transaction(db, async (trx) => {
    if (!(await replacePasswordHash(trx, actor.uuid, { former, password_hash }))) throw wrongPassword();
    const sessions = await endSessionsOf(trx, actor.uuid, new Date(clock.now()), { except: session });
    await audit.record(trx, byCaller(from), {
      action: "user.reset_password",
      subject: { kind: "user", uuid: actor.uuid },
      details: { sessions, by: "password" },
    });
    const { email } = await getUser({ db: trx }, actor, actor.uuid);
    const others = await otherWaysIn(trx, actor.uuid, pagesAt());
    const mail = changedMail({ email, pagesAt: pagesAt(), ended: "every other browser", others });
    await sendMail(trx, clock, { to: { address: email }, ...mail });
  });
}

const wrongPassword = () => new AppError("WRONG_PASSWORD", { message: FAILED });
