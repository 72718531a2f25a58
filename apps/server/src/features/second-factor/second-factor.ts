import { AppError, type SecondFactors, type TotpSetup } from "@terrarium/contract";
import { randomBytes } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import type { Sealer } from "../../platform/sealer.ts";
import type { By } from "../audit/by.ts";
import { type Actor, sessionOf } from "../sessions/actor.ts";
import { findLiveCredentials } from "../sessions/credentials.ts";
import { findUser, lockUser, type UserRow } from "../users/accounts.ts";
import { lockProven, proveSelf } from "../users/prove-self.ts";
import { checkSelf, type UserDeps } from "../users/users.ts";
import { factorAdded, factorRemoved, renewCodes } from "./changes.ts";
import { addedMail, removedMail } from "./second-factor-mails.ts";
import {
  countRecoveryCodes,
  deleteTotp,
  findFactors,
  findTotp,
  insertTotp,
  isRequiredOf,
} from "./second-factor.store.ts";
import { appNow, base32, fromBase32, otpauthUrl, TOTP_SECRET_BYTES, totpStep } from "./totp.ts";

export interface SecondFactorDeps extends UserDeps {
  totpSealer: Sealer;
}

/** How somebody confirms their sign-ins. */
export async function getSecondFactors(deps: SecondFactorDeps, actor: Actor, uuid: string): Promise<SecondFactors> {
  await checkSelf(deps, actor, uuid);
  const totp = await findTotp(deps.db, uuid);
  return {
    totp: totp
      ? { created_at: totp.created_at.toISOString(), last_used_at: totp.last_used_at?.toISOString() ?? null }
      : null,
    has_passkey: (await findFactors(deps.db, uuid, deps.pagesAt())).includes("passkey"),
    recovery_codes: await countRecoveryCodes(deps.db, uuid),
    is_required: await isRequiredOf(deps.db, uuid),
  };
}

interface Asked {
  uuid: string;
  password?: string | undefined;
}

/**
 * Begins to set up an authenticator app. Only the client holds the secret until a code of the app was sent.
 * @throws AppError SECOND_FACTOR_EXISTS, what `checkSelf` and `proveSelf` throw
 */
export async function beginOwnTotp(
  deps: SecondFactorDeps,
  actor: Actor,
  { uuid, password }: Asked,
): Promise<TotpSetup> {
  await checkSelf(deps, actor, uuid);
  const proven = await proveSelf(deps, actor, password);
  const user = await findUser(deps.db, uuid);
  if (user?.password_hash !== proven) throw new AppError("WRONG_PASSWORD");
  if (await findTotp(deps.db, uuid)) throw new AppError("SECOND_FACTOR_EXISTS");
  return newTotp(deps, user, { session: sessionOf(actor) });
}

/** A new secret, and the ticket that finishes its setup: in the session that it was begun in, or in place of a session. */
export async function newTotp(
  { tickets }: SecondFactorDeps,
  user: UserRow,
  about: { session: string } | { way: string | undefined },
): Promise<TotpSetup> {
  const secret = randomBytes(TOTP_SECRET_BYTES);
  return {
    secret: base32(secret),
    url: otpauthUrl(secret, user.email),
    setup_ticket: await tickets.issue("session" in about ? "add" : "totp", user, {
      secret: base32(secret),
      ...about,
    }),
  };
}

interface Finish {
  setup_ticket: string;
  code: string;
}

/**
 * Finishes to set up an authenticator app, in the session that began it. Returns recovery codes, if it is the first second factor. A call
 * that was admitted before the actor was signed out adds none.
 * @throws AppError SECOND_FACTOR_EXPIRED, SECOND_FACTOR_WRONG, SECOND_FACTOR_EXISTS, NOT_AUTHENTICATED, what `checkSelf` throws
 */
export async function addOwnTotp(
  deps: SecondFactorDeps,
  actor: Actor,
  { uuid, ...finish }: Finish & { uuid: string },
  by: By,
): Promise<string[]> {
  await checkSelf(deps, actor, uuid);
  const session = sessionOf(actor);
  const { user, secret, session: begunIn } = await deps.tickets.read(deps.db, "add", finish.setup_ticket);
  if (begunIn !== session) throw new AppError("SECOND_FACTOR_EXPIRED");
  return transaction(deps.db, async (trx) => {
    await lockUser(trx, uuid);
    const live = await findLiveCredentials(trx, [session], new Date(deps.clock.now()));
    if (!live.has(session)) throw new AppError("NOT_AUTHENTICATED");
    return addTotp(trx, deps, user, { secret, code: finish.code }, by);
  });
}

/**
 * Adds an authenticator app that shows the right code.
 * @param secret as its ticket has it
 * @throws AppError SECOND_FACTOR_EXPIRED, SECOND_FACTOR_WRONG, SECOND_FACTOR_EXISTS
 */
export async function addTotp(
  trx: Database,
  deps: SecondFactorDeps,
  user: UserRow,
  { secret: written, code }: { secret: string | undefined; code: string },
  by: By,
): Promise<string[]> {
  await lockUser(trx, user.uuid);
  if ((await findUser(trx, user.uuid))?.password_hash !== user.password_hash)
    throw new AppError("SECOND_FACTOR_EXPIRED");
  const secret = fromBase32(written ?? "");
  const last_step = totpStep(secret, withoutSpaces(code), appNow(deps.clock), null);
  if (last_step === undefined) throw new AppError("SECOND_FACTOR_WRONG");
  const sealed = deps.totpSealer.seal(secret, user.uuid);
  const row = { user_uuid: user.uuid, secret: sealed, last_step, created_at: new Date(deps.clock.now()) };
  if (!(await insertTotp(trx, row))) throw new AppError("SECOND_FACTOR_EXISTS");
  const { clock, pagesAt } = deps;
  await recordChange(trx, deps, user, "second_factor.add", by);
  const mail = addedMail({ email: user.email, pagesAt: pagesAt() });
  await sendMail(trx, clock, { to: { address: user.email }, ...mail });
  return factorAdded(trx, deps, user.uuid);
}

const recordChange = (
  trx: Database,
  { audit }: SecondFactorDeps,
  { uuid, organization_uuid: organization }: UserRow,
  action: "second_factor.add" | "second_factor.remove",
  by: By,
): Promise<void> =>
  audit.record(trx, by, { action, subject: { kind: "user", uuid }, organization, details: { factor: "totp" } });

/** As apps show codes in two groups, and people type them so. */
export const withoutSpaces = (code: string): string => code.replaceAll(/\s/g, "");

/**
 * Removes somebody's authenticator app.
 * @throws AppError SECOND_FACTOR_MISSING, LAST_SECOND_FACTOR, what `checkSelf` and `proveSelf` throw
 */
export const removeOwnTotp = (deps: SecondFactorDeps, actor: Actor, asked: Asked, by: By): Promise<void> =>
  changeOwn(deps, actor, asked, async (trx, user) => {
    if (!(await deleteTotp(trx, user.uuid))) throw new AppError("SECOND_FACTOR_MISSING");
    const isPasswordEnough = await factorRemoved(trx, deps, user);
    await recordChange(trx, deps, user, "second_factor.remove", by);
    const mail = removedMail(["totp"], isPasswordEnough, { email: user.email, pagesAt: deps.pagesAt() });
    await sendMail(trx, deps.clock, { to: { address: user.email }, ...mail });
  });

/**
 * Gives somebody new recovery codes; the former ones end.
 * @throws AppError SECOND_FACTOR_MISSING if they have no second factor, what `checkSelf` and `proveSelf` throw
 */
export const renewOwnCodes = (deps: SecondFactorDeps, actor: Actor, asked: Asked, by: By): Promise<string[]> =>
  changeOwn(deps, actor, asked, async (trx, { uuid }) => {
    if ((await findFactors(trx, uuid, deps.pagesAt())).length === 0) throw new AppError("SECOND_FACTOR_MISSING");
    await deps.audit.record(trx, by, { action: "second_factor.renew_codes", subject: { kind: "user", uuid } });
    return renewCodes(trx, deps.clock, uuid);
  });

/** Changes the second factors of somebody who has proved who they are, and whose account stays as it is meanwhile. */
async function changeOwn<Result>(
  deps: SecondFactorDeps,
  actor: Actor,
  { uuid, password }: Asked,
  change: (trx: Database, user: UserRow) => Promise<Result>,
): Promise<Result> {
  await checkSelf(deps, actor, uuid);
  const proven = await proveSelf(deps, actor, password);
  return transaction(deps.db, async (trx) => change(trx, await lockProven(trx, uuid, proven)));
}
