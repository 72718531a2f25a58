import { type Answer, AppError, apiTokens, limits, type programSignIns, type Received } from "@terrarium/contract";
import { hash, randomBytes, randomInt } from "node:crypto";
import type { Reads } from "../../platform/db/reads.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { networksOf } from "../../platform/network-of.ts";
import { takeNetworks } from "../../platform/rate-limits/count-networks.ts";
import type { Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import { createApiToken, getApiTokens } from "../api-tokens/api-tokens.ts";
import type { By, Requested } from "../audit/by.ts";
import type { LinkingDeps } from "../deps.ts";
import { type Actor, actorOf, checkAccess, sessionOf } from "../sessions/actor.ts";
import { findOwners } from "../sessions/credentials.ts";
import {
  answerPending,
  deleteProgramSignIn,
  findPending,
  insertProgramSignIn,
  lockProgramSignIn,
  type ProgramSignInRow,
  updateProgramSignIn,
} from "./program-sign-ins.store.ts";

/** Consonants make no words, and none of these looks like a digit (RFC 8628, 6.1). Eight of them have 34 bits. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const CODE_LENGTH = 8;
const LIFE_MS = 10 * 60_000;
/** Between two questions of a program, and how much longer that gets when it asks sooner. */
const INTERVAL_SECONDS = 5;
const TOKEN_MS = limits.programTokenDays * 24 * 60 * 60_000;

const beginnings: Limit = { name: "program sign-ins begun from an address", max: 30, windowMs: LIFE_MS };
/** Who guesses could lead a stranger's program into their own account: at this rate, in a billion years. */
const codesOfUser: Limit = { name: "codes of programs tried by a user", max: 30, windowMs: 60 * 60_000 };
const wrongSecrets: Limit = { name: "wrong secrets of programs from an address", max: 60, windowMs: 60_000 };

export interface ProgramSignInDeps extends LinkingDeps {
  reads: Pick<Reads, "query">;
}

/** Begins to wait for somebody's approval. @throws TOO_MANY_REQUESTS */
export async function begin(
  { db, clock, limiter, pagesAt }: ProgramSignInDeps,
  { host, scope }: Received<typeof programSignIns.begin>["body"],
  address: string,
): Promise<Answer<typeof programSignIns.begin>> {
  await takeNetworks(limiter, beginnings, networksOf(address));
  const device_code = randomBytes(32).toString("base64url");
  const created_at = new Date(clock.now());
  const rest = { device_code_hash: hashOf(device_code), host, scope, address, created_at };
  const expires_at = new Date(created_at.getTime() + LIFE_MS);
  let user_code = newCode();
  while (!(await insertProgramSignIn(db, { ...rest, user_code, expires_at, interval_seconds: INTERVAL_SECONDS })))
    user_code = newCode();
  const shown = `${user_code.slice(0, CODE_LENGTH / 2)}-${user_code.slice(CODE_LENGTH / 2)}`;
  const verification_uri = `${pagesAt()}/activate`;
  return {
    device_code,
    user_code: shown,
    verification_uri,
    verification_uri_complete: `${verification_uri}?code=${shown}`,
    expires_in: LIFE_MS / 1000,
    interval: INTERVAL_SECONDS,
  };
}

/** Who asks by a code. @throws FORBIDDEN, PROGRAM_SIGN_IN_EXPIRED, TOO_MANY_REQUESTS */
export async function getAsking(
  { db, clock, limiter }: ProgramSignInDeps,
  actor: Actor,
  code: string,
): Promise<Answer<typeof programSignIns.get>> {
  sessionOf(actor);
  await limiter.take(codesOfUser, actor.uuid);
  const asking = await findPending(db, plain(code), new Date(clock.now()));
  if (!asking) throw new AppError("PROGRAM_SIGN_IN_EXPIRED");
  const { host, scope, address, created_at, expires_at } = asking;
  return { host, scope, address, created_at: created_at.toISOString(), expires_at: expires_at.toISOString() };
}

/**
 * Lets the program have an API token, or not. The token is created when the program fetches it, so that its secret is never stored.
 * @throws FORBIDDEN, PROGRAM_SIGN_IN_EXPIRED, TOO_MANY_API_TOKENS, TOO_MANY_REQUESTS
 */
export async function decide(
  deps: ProgramSignInDeps,
  actor: Actor,
  { code, decision }: { code: string; decision: "approve" | "refuse" },
  by: By,
): Promise<void> {
  const session = sessionOf(actor);
  const { db, clock, audit, limiter } = deps;
  await limiter.take(codesOfUser, actor.uuid);
  const isApproved = decision === "approve";
  // Here the person who can do something about it still sees the error.
  if (isApproved && (await getApiTokens(deps, actor)).length >= limits.apiTokens)
    throw new AppError("TOO_MANY_API_TOKENS");
  const now = new Date(clock.now());
  await transaction(db, async (trx) => {
    const asking = await findPending(trx, plain(code), now);
    const answer = { state: isApproved ? "approved" : "refused", session_uuid: isApproved ? session : null } as const;
    if (!asking || !(await answerPending(trx, asking.user_code, now, answer)))
      throw new AppError("PROGRAM_SIGN_IN_EXPIRED");
    const { host, scope, address } = asking;
    const action = isApproved ? "api_token.approve" : "api_token.refuse";
    await audit.record(trx, by, { action, details: { host, scope, address } });
  });
}

/**
 * The token of a program that was approved, this once, if whoever approved it is still signed in and may have API tokens.
 * @throws PROGRAM_SIGN_IN_PENDING, PROGRAM_SIGN_IN_SLOW_DOWN, PROGRAM_SIGN_IN_REFUSED, PROGRAM_SIGN_IN_EXPIRED, and as `createApiToken`
 */
export async function finish(
  deps: ProgramSignInDeps,
  device_code: string,
  { ip, requestId }: Requested,
): Promise<Answer<typeof programSignIns.finish>> {
  const { clock, limiter, reads } = deps;
  const now = new Date(clock.now());
  const asking = await take(deps, hashOf(device_code), now);
  if (asking === undefined) {
    await takeNetworks(limiter, wrongSecrets, networksOf(ip));
    throw new AppError("PROGRAM_SIGN_IN_EXPIRED");
  }
  if (typeof asking === "string") throw new AppError(asking);
  const [owner] = await findOwners(reads, () => ({ sessions: [asking.session_uuid ?? ""], hashes: [], now }));
  if (!owner) throw new AppError("PROGRAM_SIGN_IN_EXPIRED");
  const actor = actorOf(owner);
  checkAccess(actor, apiTokens.create);
  const held = (await getApiTokens(deps, actor)).map(({ description }) => description);
  const token = {
    description: freeName(`Command line on ${asking.host}`, held),
    scope: asking.scope,
    expires_at: new Date(now.getTime() + TOKEN_MS).toISOString(),
  };
  const { uuid: user, credential, organization } = actor;
  return createApiToken(deps, actor, token, { kind: "user", user, credential, organization, address: ip, requestId });
}

/** The answer for a program; an approval is used up. Undefined if there is none. */
const take = ({ db }: ProgramSignInDeps, code: Buffer, now: Date) =>
  transaction(db, async (trx) => {
    const asking = await lockProgramSignIn(trx, code, now);
    if (!asking) return undefined;
    if (asking.state === "pending") {
      const isTooSoon = isSooner(asking, now);
      const interval_seconds = asking.interval_seconds + (isTooSoon ? INTERVAL_SECONDS : 0);
      await updateProgramSignIn(trx, code, { polled_at: now, interval_seconds });
      return isTooSoon ? "PROGRAM_SIGN_IN_SLOW_DOWN" : "PROGRAM_SIGN_IN_PENDING";
    }
    await deleteProgramSignIn(trx, code);
    return asking.state === "refused" ? "PROGRAM_SIGN_IN_REFUSED" : asking;
  });

const isSooner = ({ polled_at, interval_seconds }: ProgramSignInRow, now: Date): boolean =>
  polled_at !== null && now.getTime() - polled_at.getTime() < interval_seconds * 1000;

/** A name that none of the others has. */
function freeName(name: string, others: readonly string[]): string {
  if (!others.includes(name)) return name;
  let number = 2;
  while (others.includes(`${name} (${number})`)) number++;
  return `${name} (${number})`;
}

const newCode = (): string => Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
/** Without what people type besides the letters. */
const plain = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z]/g, "");
const hashOf = (code: string): Buffer => hash("sha256", code, "buffer");
