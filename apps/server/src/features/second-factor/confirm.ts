import { type Answer, AppError, type Received, type secondFactor, type TotpSetup } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { networksOf } from "../../platform/network-of.ts";
import { countNetworks } from "../../platform/rate-limits/count-networks.ts";
import { type Limit, MAX_WINDOW_MS, tooMany } from "../../platform/rate-limits/database-rate-limiter.ts";
import { byUser, type Requested } from "../audit/by.ts";
import type { UserRow } from "../users/accounts.ts";
import { beginSession } from "../users/begin-session.ts";
import { hashRecoveryCode } from "./recovery-codes.ts";
import { recoveryCodeMail } from "./second-factor-mails.ts";
import { mayFrom } from "../sign-in-rules/ways.ts";
import { addTotp, newTotp, type SecondFactorDeps, withoutSpaces } from "./second-factor.ts";
import { countRecoveryCodes, findFactors, findTotp, takeRecoveryCode, takeStep } from "./second-factor.store.ts";
import { appNow, totpStep } from "./totp.ts";

/**
 * Wrong codes. Three of a million are right at any time: at this rate somebody who knows the password needs four years for an even chance.
 * A browser that is known has a counter of its own, so that they do not lock the owner out.
 */
export const wrongCodesOfAccount: Limit = { name: "second factor: account", max: 6, windowMs: MAX_WINDOW_MS };
export const wrongCodesOfBrowser: Limit = { name: "second factor: known browser", max: 20, windowMs: MAX_WINDOW_MS };
const wrongCodesOfAddress: Limit = { name: "second factor: address", max: 20, windowMs: 60_000 };

type Confirmation = Received<typeof secondFactor.confirm>["body"];

/**
 * Begins the session of somebody who was asked for their second factor. A code is used up by the transaction that opens the session.
 * @throws AppError SECOND_FACTOR_EXPIRED, SECOND_FACTOR_WRONG, TOO_MANY_REQUESTS
 */
export async function confirmSignIn(
  deps: SecondFactorDeps,
  { ticket, method, code, browser_token }: Confirmation,
  from: Requested,
): Promise<Answer<typeof secondFactor.confirm>> {
  const { user, way } = await deps.tickets.read(deps.db, "confirm", ticket);
  if (!(await mayFrom(deps.db, user, from.pageOrigin))) throw new AppError("SECOND_FACTOR_EXPIRED");
  const takeBack = await countAttempt(deps, user, browser_token, from);
  const session = await beginSession(deps, user, browser_token, { ...from, way }, async (trx) => {
    const { uuid, organization_uuid } = user;
    // The facts are for the record of the refusal.
    if (!(await useCode[method](trx, deps, user, code)))
      throw new AppError("SECOND_FACTOR_WRONG", { facts: { owner: { uuid, organization_uuid } } });
    await recordUse(trx, deps, user, method, from);
  });
  await takeBack();
  return session;
}

/** Records with what a sign-in was confirmed. */
export async function recordUse(
  trx: Database,
  { audit }: Pick<SecondFactorDeps, "audit">,
  user: UserRow,
  method: Confirmation["method"] | "passkey",
  from: Requested,
): Promise<void> {
  const subject = { kind: "user", uuid: user.uuid } as const;
  await audit.record(trx, byUser(from, user), { action: "second_factor.use", subject, details: { method } });
}

/** Counts an attempt as failed until it is taken back. */
async function countAttempt(
  { limiter, browsers }: SecondFactorDeps,
  user: UserRow,
  browser_token: string | undefined,
  { ip }: Requested,
): Promise<() => Promise<void>> {
  const { attempts, over } = await countNetworks(limiter, wrongCodesOfAddress, networksOf(ip));
  if (over) throw tooMany(over);
  const browser = browsers.recognize(browser_token, user);
  const ofAccount =
    browser === undefined
      ? await limiter.take(wrongCodesOfAccount, user.uuid)
      : await limiter.take(wrongCodesOfBrowser, `${user.uuid} ${browser}`);
  return () => limiter.refund([...attempts, ofAccount]);
}

/** Uses a code up; false if it does not work. */
const useCode: Record<
  Confirmation["method"],
  (trx: Database, deps: SecondFactorDeps, user: UserRow, code: string) => Promise<boolean>
> = {
  async totp(trx, { clock, totpSealer }, { uuid }, code) {
    const totp = await findTotp(trx, uuid);
    if (!totp) return false;
    const step = totpStep(totpSealer.open(totp.secret, uuid), withoutSpaces(code), appNow(clock), totp.last_step);
    return step !== undefined && takeStep(trx, uuid, step, new Date(clock.now()));
  },
  async recovery(trx, { clock, pagesAt }, { uuid, email }, code) {
    if (!(await takeRecoveryCode(trx, uuid, hashRecoveryCode(code)))) return false;
    const mail = recoveryCodeMail(await countRecoveryCodes(trx, uuid), { email, pagesAt: pagesAt() });
    await sendMail(trx, clock, { to: { address: email }, ...mail });
    return true;
  },
};

/**
 * Begins to set up an authenticator app for somebody who cannot sign in without.
 * @throws AppError SECOND_FACTOR_EXPIRED also if they have a second factor by now
 */
export async function beginRequiredTotp(deps: SecondFactorDeps, ticket: string): Promise<TotpSetup> {
  const { user, way } = await deps.tickets.read(deps.db, "set-up", ticket);
  await checkFactorless(deps.db, deps, user);
  return newTotp(deps, user, { way });
}

/**
 * Finishes it, and begins the session.
 * @throws AppError SECOND_FACTOR_EXPIRED, SECOND_FACTOR_WRONG, TOO_MANY_REQUESTS
 */
export async function addRequiredTotp(
  deps: SecondFactorDeps,
  { setup_ticket, code, browser_token }: Received<typeof secondFactor.addRequiredTotp>["body"],
  from: Requested,
): Promise<Answer<typeof secondFactor.addRequiredTotp>> {
  const { user, secret, way } = await deps.tickets.read(deps.db, "totp", setup_ticket);
  let recovery_codes: string[] = [];
  const session = await beginSession(deps, user, browser_token, { ...from, way }, async (trx) => {
    await checkFactorless(trx, deps, user);
    recovery_codes = await addTotp(trx, deps, user, { secret, code }, byUser(from, user));
  });
  return { ...session, recovery_codes };
}

/** Whoever has a second factor is asked for it. @throws AppError SECOND_FACTOR_EXPIRED */
export async function checkFactorless(
  db: Database,
  { pagesAt }: Pick<SecondFactorDeps, "pagesAt">,
  { uuid }: UserRow,
): Promise<void> {
  if ((await findFactors(db, uuid, pagesAt())).length > 0) throw new AppError("SECOND_FACTOR_EXPIRED");
}
