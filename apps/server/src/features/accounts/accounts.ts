import { type accounts, type Answer, AppError, type Offer, type Received, type User } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { isDuplicate } from "../../platform/db/database-errors.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { admitMail } from "../../platform/mail/mail-limits.ts";
import { hashLinkKey } from "../../platform/mail/mailed-link.ts";
import { networkOf } from "../../platform/network-of.ts";
import { byCaller, byUser, type Requested } from "../audit/by.ts";
import { currentOffer } from "../billing/prices.ts";
import type { BotCheck } from "../bot-check/bot-check.ts";
import { checkZone, servedZone } from "../instances/gateways.ts";
import { addOrganization, USUAL_ZONE } from "../organizations/add-organization.ts";
import { refuseCommonPassword } from "../users/common-passwords.ts";
import { createUser } from "../users/create-user.ts";
import { hashPassword } from "../users/passwords.ts";
import { mailSignUpLink } from "./accounts.jobs.ts";
import { deleteSignUpsOf, findLink, findSignUp, insertSignUp, type SignUp } from "./accounts.store.ts";
import { refuseDisposable } from "./email-domains.ts";
import type { LinkingDeps } from "../deps.ts";

export interface AccountDeps extends LinkingDeps {
  botCheck: BotCheck;
  /** Whether and for how long devices of a new organization run without a plan. */
  publicSettings: { offer: Offer };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Notes that somebody wants an account, and mails them a link to confirm the address; there is no account before they do. Whether the
 * address has one already shows neither in the reply nor in its time: its owner learns it by mail.
 * @throws AppError DISPOSABLE_EMAIL, PASSWORD_TOO_COMMON, ZONE_NOT_AVAILABLE, BOT_CHECK_FAILED, TOO_MANY_REQUESTS, or SERVICE_UNAVAILABLE
 */
export async function signUp(
  { db, clock, audit, limiter, botCheck, pagesAt }: AccountDeps,
  wanted: Received<typeof accounts.create>["body"] & Received<typeof accounts.create>["query"],
  from: Requested,
): Promise<Answer<typeof accounts.create>> {
  const { ip, requestId } = from;
  const { email, password, organization_name, instances_zone, tnc_accepted, redirect } = wanted;
  await refuseDisposable(email);
  await refuseCommonPassword(password);
  // As on the page with the settings. A guest has no zone.
  if (instances_zone !== undefined && organization_name !== "") await checkZone(db, instances_zone);
  await botCheck.check(wanted.turnstileCaptcha_token, ip);
  await admitMail(limiter, { kind: "sign-up", email, ip });
  const password_hash = await hashPassword(password, { lane: networkOf(ip), isKnown: false });
  const uuid = randomUUID();
  const created_at = new Date(clock.now());
  await transaction(db, async (trx) => {
    await insertSignUp(trx, {
      uuid,
      email,
      password_hash,
      organization_name: organization_name === "" ? null : organization_name,
      zone: instances_zone ?? (await servedZone(trx, USUAL_ZONE)),
      tnc_accepted_at: tnc_accepted ? created_at : null,
      created_at,
    });
    await audit.record(trx, byCaller(from), { action: "user.sign_up" });
    const link = { email, signUp: uuid, origin: pagesAt(), redirect, address: ip, requestId };
    await enqueue(trx, clock, mailSignUpLink, link);
  });
  return { user: { email, is_validated: false } };
}

/**
 * Mails another link for the last sign-up with an address; if there is none, nothing is sent, and the reply is the same.
 * @throws AppError TOO_MANY_REQUESTS
 */
export async function resendLink(
  { db, clock, limiter, pagesAt }: AccountDeps,
  { email, redirect }: { email: string; redirect?: string | undefined },
  { ip, requestId }: Requested,
): Promise<void> {
  await admitMail(limiter, { kind: "sign-up", email, ip });
  await enqueue(db, clock, mailSignUpLink, { email, origin: pagesAt(), redirect, address: ip, requestId });
}

/**
 * Makes the account whose address a link confirms, and its organization if one was named, which the person manages; everybody else who was
 * not invited is a guest. Other sign-ups with the address are forgotten, as they may be a stranger's.
 * @throws AppError ACTIVATION_LINK_INVALID, ACTIVATION_LINK_USED; LINK_EXPIRED, with the `email` for which another can be mailed
 */
export async function activate(
  { db, clock, audit, publicSettings }: AccountDeps,
  key: string,
  from: Requested,
): Promise<User> {
  const link = await findLink(db, hashLinkKey(key));
  if (!link) throw new AppError("ACTIVATION_LINK_INVALID");
  const { sign_up_uuid, email } = link;
  if (sign_up_uuid === null) throw new AppError("ACTIVATION_LINK_USED");
  const created_at = new Date(clock.now());
  if (link.expires_at <= created_at) throw new AppError("LINK_EXPIRED", { details: { email } });
  return transaction(db, async (trx) => {
    const signUp = await findSignUp(trx, sign_up_uuid);
    if (!signUp) throw new AppError("ACTIVATION_LINK_USED");
    const { trial } = await currentOffer(trx, publicSettings.offer);
    const organization = await createOrganization(trx, signUp, created_at, trial);
    const user = await createUser(trx, {
      email,
      password_hash: signUp.password_hash,
      organization_uuid: organization,
      is_organization_manager: organization !== null,
      tnc_accepted_at: signUp.tnc_accepted_at,
      created_at,
    });
    await deleteSignUpsOf(trx, email);
    const by = byUser(from, { uuid: user.uuid, organization_uuid: organization });
    if (organization !== null)
      await audit.record(trx, by, {
        action: "organization.create",
        subject: { kind: "organization", uuid: organization },
      });
    const role = organization === null ? "guest" : "manager";
    const subject = { kind: "user", uuid: user.uuid } as const;
    await audit.record(trx, by, { action: "user.create", subject, details: { role } });
    return user;
  }).catch((error: unknown) => {
    // An account with the address was made meanwhile, by another link or by the operator.
    throw isDuplicate(error, "users_email_key") ? new AppError("ACTIVATION_LINK_USED", { cause: error }) : error;
  });
}

async function createOrganization(
  trx: Database,
  { organization_name: name, zone }: SignUp,
  created_at: Date,
  { minutes, days }: Offer["trial"],
): Promise<string | null> {
  if (name === null) return null;
  const uuid = randomUUID();
  const license_expires_at = days > 0 ? new Date(created_at.getTime() + days * DAY_MS) : null;
  await addOrganization(trx, { uuid, name, zone, license_expires_at, created_at }, minutes);
  return uuid;
}
