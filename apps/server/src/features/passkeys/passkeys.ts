import { type Answer, AppError, limits, type NewCredential, type Passkey, type passkeys } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { isDuplicate } from "../../platform/db/database-errors.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { type By, byCaller, type Requested } from "../audit/by.ts";
import { factorAdded, factorRemoved } from "../second-factor/changes.ts";
import { type Actor, sessionOf } from "../sessions/actor.ts";
import { findLiveCredentials } from "../sessions/credentials.ts";
import { deviceOf } from "../sessions/device-of.ts";
import { checkWayLeft } from "../sign-in-rules/ways.ts";
import { findUser, lockUser, type UserRow } from "../users/accounts.ts";
import { lockProven, proveSelf } from "../users/prove-self.ts";
import { checkSelf, type UserDeps } from "../users/users.ts";
import { CHALLENGE_MS, type PasskeyChallenges, type Purpose } from "./challenges.ts";
import { addedMail, removedMail } from "./passkey-mails.ts";
import { deletePasskey, insertPasskey, listPasskeys, type PasskeyRow, updatePasskey } from "./passkeys.store.ts";
import { findRelyingParty, relyingPartyAt } from "./relying-party.ts";
import { ALGORITHMS, readNewPasskey, userHandleOf } from "./verify.ts";

export interface PasskeyDeps extends UserDeps {
  passkeyChallenges: PasskeyChallenges;
}

/** A call about one's own passkeys. */
interface Call extends Requested {
  actor: Actor;
  params: { uuid: string };
}

/**
 * The session of whoever asks about their own passkeys.
 * @throws AppError FORBIDDEN for an API token, what `checkSelf` throws
 */
async function checkOwn(deps: PasskeyDeps, { actor, params }: Call): Promise<string> {
  await checkSelf(deps, actor, params.uuid);
  return sessionOf(actor);
}

export async function getPasskeys(deps: PasskeyDeps, call: Call): Promise<Answer<typeof passkeys.list>> {
  const { db, pagesAt } = deps;
  await checkOwn(deps, call);
  const held = await listPasskeys(db, call.actor.uuid);
  return {
    passkeys: held.map((row) => presentPasskey(row, pagesAt())),
    suggested_name: freeName(call, held),
  };
}

/** What somebody's next passkey is called, unless they say otherwise. */
export const nameForNew = async (db: Database, user: string, from: Requested): Promise<string> =>
  freeName(from, await listPasskeys(db, user));

/** The name of a device; a number is added to one that is taken. */
function freeName({ userAgent = "" }: Requested, held: readonly { name: string }[]): string {
  const name = deviceOf(userAgent) || "Passkey";
  const taken = new Set(held.map((other) => other.name));
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
  return free;
}

/**
 * Begins to add a passkey for somebody who has proved who they are. What is begun can be finished by the same session, for five minutes.
 * @throws AppError PASSKEYS_NOT_AVAILABLE, TOO_MANY_PASSKEYS, what `checkOwn` and `proveSelf` throw
 */
export async function beginToAdd(
  deps: PasskeyDeps,
  call: Call & { body: { password?: string | undefined } },
): Promise<Answer<typeof passkeys.addOptions>> {
  const { db, pagesAt } = deps;
  const session = await checkOwn(deps, call);
  relyingPartyAt(pagesAt());
  await proveSelf(deps, call.actor, call.body.password);
  const user = await findUser(db, call.actor.uuid);
  if (!user) throw new AppError("USER_NOT_FOUND");
  return creationOptions(deps, user, ["add", user.uuid, session]);
}

/**
 * What to have a browser make a passkey of somebody with.
 * @throws AppError PASSKEYS_NOT_AVAILABLE, TOO_MANY_PASSKEYS
 */
export async function creationOptions(
  { db, pagesAt, passkeyChallenges }: PasskeyDeps,
  user: UserRow,
  purpose: Purpose,
): Promise<Answer<typeof passkeys.addOptions>> {
  const { id } = relyingPartyAt(pagesAt());
  const held = await listPasskeys(db, user.uuid);
  checkRoom(held);
  return {
    challenge: passkeyChallenges.issue(purpose),
    rp: { id, name: "Terrarium" },
    user: { id: userHandleOf(user.uuid), name: user.email, displayName: nameOf(user) },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: CHALLENGE_MS,
    excludeCredentials: usableAt(id, held),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    attestation: "none",
  };
}

/** Those made for a host name, as browsers know them. */
export const usableAt = (host: string, held: readonly PasskeyRow[]) =>
  held
    .filter(({ rp_id }) => rp_id === host)
    .map(({ credential_id, transports }) => ({
      id: credential_id.toString("base64url"),
      type: "public-key" as const,
      transports,
    }));

function checkRoom(held: readonly unknown[]): void {
  if (held.length >= limits.passkeys) throw new AppError("TOO_MANY_PASSKEYS");
}

const nameOf = ({ first_name, last_name, email }: UserRow): string => `${first_name} ${last_name}`.trim() || email;

/**
 * Adds the passkey that a browser has made, and notifies its owner. A call that was admitted before the actor was signed out adds none.
 * Returns recovery codes too, if it is the first second factor.
 * @throws AppError TOO_MANY_PASSKEYS, PASSKEY_EXISTS, NOT_AUTHENTICATED, what `checkOwn`, `relyingPartyAt` and `readNewPasskey` throw
 */
export async function addPasskey(
  deps: PasskeyDeps,
  call: Call & { body: { name: string; credential: NewCredential } },
): Promise<Answer<typeof passkeys.add>> {
  const { db, clock, pagesAt, passkeyChallenges } = deps;
  const session = await checkOwn(deps, call);
  const { name, credential } = call.body;
  const { uuid } = call.actor;
  const party = relyingPartyAt(pagesAt());
  const made = await readNewPasskey(passkeyChallenges, party, credential, ["add", uuid, session]);
  return transaction(db, async (trx) => {
    await lockUser(trx, uuid);
    const user = await findUser(trx, uuid);
    const live = await findLiveCredentials(trx, [session], new Date(clock.now()));
    if (!user || !live.has(session)) throw new AppError("NOT_AUTHENTICATED");
    return insertMade(trx, deps, user, { made, name }, byCaller(call));
  }).catch(refuseKnown);
}

/**
 * Stores a passkey that a browser has made for somebody, whose row is locked, and notifies them.
 * @throws AppError TOO_MANY_PASSKEYS; an error of the database for `refuseKnown`
 */
export async function insertMade(
  trx: Database,
  deps: PasskeyDeps,
  user: UserRow,
  { made, name }: { made: Awaited<ReturnType<typeof readNewPasskey>>; name: string },
  by: By,
): Promise<Answer<typeof passkeys.add>> {
  const { clock, audit, pagesAt } = deps;
  const { id: rp_id, origin } = relyingPartyAt(pagesAt());
  checkRoom(await listPasskeys(trx, user.uuid));
  const [uuid, created_at] = [randomUUID(), new Date(clock.now())];
  const row = { ...made, uuid, user_uuid: user.uuid, name, rp_id, created_at, last_used_at: null };
  await insertPasskey(trx, row);
  await audit.record(trx, by, { action: "passkey.add", subject: { kind: "passkey", uuid } });
  const mail = addedMail({ email: user.email, name, pagesAt: pagesAt() }, user.password_hash !== null);
  await sendMail(trx, clock, { to: { address: user.email }, ...mail });
  return { ...presentPasskey(row, origin), recovery_codes: await factorAdded(trx, deps, user.uuid) };
}

/** For a passkey that an account has already. */
export function refuseKnown(error: unknown): never {
  throw isDuplicate(error, "passkeys_credential_id_key") ? new AppError("PASSKEY_EXISTS", { cause: error }) : error;
}

interface OfOne extends Call {
  params: { uuid: string; passkey: string };
}

/** @throws AppError PASSKEY_NOT_FOUND, what `checkOwn` throws */
export async function renamePasskey(deps: PasskeyDeps, call: OfOne & { body: { name: string } }): Promise<Passkey> {
  const { db, audit, pagesAt } = deps;
  await checkOwn(deps, call);
  const { name } = call.body;
  return transaction(db, async (trx) => {
    await lockUser(trx, call.actor.uuid);
    const passkey = await findOwn({ db: trx }, call);
    await updatePasskey(trx, passkey.uuid, { name });
    await audit.record(trx, byCaller(call), {
      action: "passkey.rename",
      subject: { kind: "passkey", uuid: passkey.uuid },
    });
    return presentPasskey({ ...passkey, name }, pagesAt());
  });
}

/**
 * Removes a passkey of somebody who has proved who they are, and notifies them; sessions go on.
 * @throws AppError PASSKEY_NOT_FOUND, LAST_SECOND_FACTOR, LAST_WAY_TO_SIGN_IN, what `checkOwn` and `proveSelf` throw
 */
export async function removePasskey(
  deps: PasskeyDeps,
  call: OfOne & { body: { password?: string | undefined } },
): Promise<void> {
  const { db, clock, audit, pagesAt } = deps;
  await checkOwn(deps, call);
  const { uuid } = call.actor;
  await findOwn(deps, call);
  const proven = await proveSelf(deps, call.actor, call.body.password);
  await transaction(db, async (trx) => {
    const user = await lockProven(trx, uuid, proven);
    const passkey = await findOwn({ db: trx }, call);
    await deletePasskey(trx, passkey.uuid);
    await checkWayLeft(trx, user, deps);
    // One for another host name was no second factor here.
    const isPasswordEnough = worksAt(pagesAt(), passkey) && (await factorRemoved(trx, deps, user));
    await audit.record(trx, byCaller(call), {
      action: "passkey.remove",
      subject: { kind: "passkey", uuid: passkey.uuid },
    });
    const mail = removedMail({ email: user.email, name: passkey.name, pagesAt: pagesAt() }, isPasswordEnough);
    await sendMail(trx, clock, { to: { address: user.email }, ...mail });
  });
}

/** @throws AppError PASSKEY_NOT_FOUND */
async function findOwn({ db }: Pick<PasskeyDeps, "db">, { actor, params }: OfOne): Promise<PasskeyRow> {
  const passkey = (await listPasskeys(db, actor.uuid)).find(({ uuid }) => uuid === params.passkey);
  if (!passkey) throw new AppError("PASSKEY_NOT_FOUND");
  return passkey;
}

const presentPasskey = (row: PasskeyRow, origin: string): Passkey => ({
  uuid: row.uuid,
  name: row.name,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  is_synced: row.is_synced,
  works_here: worksAt(origin, row),
});

const worksAt = (origin: string, { rp_id }: PasskeyRow): boolean => rp_id === findRelyingParty(origin)?.id;

/** The passkeys that somebody can sign in with, in words for people: `["the passkey “My phone”"]`. */
export const namesOfPasskeys = async (db: Database, user: string, origin: string): Promise<string[]> =>
  (await listPasskeys(db, user)).filter((row) => worksAt(origin, row)).map(({ name }) => `the passkey “${name}”`);
