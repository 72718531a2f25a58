import { networksOf } from "../../platform/network-of.ts";
import { countNetworks } from "../../platform/rate-limits/count-networks.ts";
import {
  type Attempt,
  type Limit,
  MAX_WINDOW_MS,
  type DatabaseRateLimiter,
  tooMany,
} from "../../platform/rate-limits/database-rate-limiter.ts";
import type { Turn } from "./passwords.ts";

const MINUTE_MS = 60_000;

/** Failed sign-ins. Those that succeed are not counted. */
const perKnownBrowser: Limit = { name: "sign-in: known browser", max: 10, windowMs: MINUTE_MS };
const perAddress: Limit = { name: "sign-in: address", max: 20, windowMs: MINUTE_MS };
const perAccount: Limit = { name: "sign-in: account", max: 10, windowMs: MINUTE_MS };
/** Beyond the limit of an account, addresses without more failures than these get some further attempts, which they share. */
const perCleanAddress: Limit = { name: "sign-in: clean address", max: 3, windowMs: MAX_WINDOW_MS };
const perAccountFromClean: Limit = { name: "sign-in: account from clean addresses", max: 20, windowMs: MINUTE_MS };

/** Sign-ins that succeed: each leaves rows. CI that signs in for each of its jobs stays below. */
export const signInsOfAccount: Limit = { name: "sign-in: sessions of an account", max: 300, windowMs: MAX_WINDOW_MS };

export interface SignIn {
  email: string;
  ip: string;
  /** The account and the browser, if the person has signed in there before. */
  knownBrowser: string | undefined;
}

/** An attempt to sign in that is within the limits. It counts as failed until it is taken back. */
export interface AdmittedSignIn {
  /** For hashing. */
  turn: Turn;
  takeBack(): Promise<void>;
}

/**
 * Counts an attempt to sign in by account and by address. Known browsers have a counter of their own, so that strangers who use up the others
 * do not lock the account's owner out.
 * @throws AppError TOO_MANY_REQUESTS
 */
export async function admitSignIn(limiter: DatabaseRateLimiter, signIn: SignIn): Promise<AdmittedSignIn> {
  const { ip, knownBrowser } = signIn;
  const networks = networksOf(ip);
  const counted =
    knownBrowser === undefined
      ? await countStranger(limiter, signIn.email, networks)
      : [await limiter.take(perKnownBrowser, knownBrowser)];
  return {
    turn: { lane: knownBrowser ?? networks[0], isKnown: knownBrowser !== undefined },
    takeBack: () => limiter.refund(counted),
  };
}

async function countStranger(limiter: DatabaseRateLimiter, email: string, networks: string[]): Promise<Attempt[]> {
  const byAddress = await countNetworks(limiter, perAddress, networks);
  if (byAddress.over) throw tooMany(byAddress.over);
  const byAccount = await limiter.count(perAccount, email);
  const failures = await countNetworks(limiter, perCleanAddress, networks);
  const counted = [...byAddress.attempts, byAccount, ...failures.attempts];
  if (!byAccount.isOver) return counted;
  if (failures.over) throw tooMany(byAccount);
  const fromClean = await limiter.count(perAccountFromClean, email);
  if (!fromClean.isOver) return [...counted, fromClean];
  // It was not an attempt at a password, so the address stays clean.
  await limiter.refund(failures.attempts);
  throw tooMany(fromClean);
}
