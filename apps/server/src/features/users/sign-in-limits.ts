import { networkOf } from "../../platform/network-of.ts";
import {
  type Attempt,
  type Limit,
  MAX_WINDOW_MS,
  type SharedAttempts,
  tooMany,
} from "../../platform/shared-attempts.ts";
import type { Turn } from "./passwords.ts";

const MINUTE_MS = 60_000;

/** Failed sign-ins. Those that succeed are not counted. */
const perKnownBrowser: Limit = { name: "sign-in: known browser", max: 10, windowMs: MINUTE_MS };
const perAddress: Limit = { name: "sign-in: address", max: 20, windowMs: MINUTE_MS };
const perAccount: Limit = { name: "sign-in: account", max: 10, windowMs: MINUTE_MS };
/** Beyond the limit of an account, addresses without more failures than these get some further attempts, which they share. */
const perCleanAddress: Limit = { name: "sign-in: clean address", max: 3, windowMs: MAX_WINDOW_MS };
const perAccountFromClean: Limit = { name: "sign-in: account from clean addresses", max: 20, windowMs: MINUTE_MS };

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
export async function admitSignIn(attempts: SharedAttempts, signIn: SignIn): Promise<AdmittedSignIn> {
  const { ip, knownBrowser } = signIn;
  const network = networkOf(ip);
  const counted =
    knownBrowser === undefined
      ? await countStranger(attempts, signIn.email, network)
      : [within(await attempts.count(perKnownBrowser, knownBrowser))];
  return {
    turn: { lane: knownBrowser ?? network, isKnown: knownBrowser !== undefined },
    takeBack: () => attempts.refund(counted),
  };
}

async function countStranger(attempts: SharedAttempts, email: string, network: string): Promise<Attempt[]> {
  const byAddress = within(await attempts.count(perAddress, network));
  const byAccount = await attempts.count(perAccount, email);
  const failures = await attempts.count(perCleanAddress, network);
  if (!byAccount.isOver) return [byAddress, byAccount, failures];
  if (failures.isOver) throw tooMany(byAccount);
  const fromClean = await attempts.count(perAccountFromClean, email);
  if (!fromClean.isOver) return [byAddress, byAccount, failures, fromClean];
  // It was not an attempt at a password, so the address stays clean.
  await attempts.refund([failures]);
  throw tooMany(fromClean);
}

function within(attempt: Attempt): Attempt {
  if (attempt.isOver) throw tooMany(attempt);
  return attempt;
}
