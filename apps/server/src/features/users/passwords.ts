import { hash, verify } from "@node-rs/argon2";
import { Gate } from "../../platform/gate.ts";

/**
 * Hashing takes a core for tens of milliseconds on the thread pool: a few at once leave the rest of the service room. One slot is reserved
 * for known browsers, so that strangers cannot take them all.
 */
const gates = {
  strangers: new Gate({ maxRunning: 2, maxWaiting: 100, maxWaitingPerLane: 10 }),
  known: new Gate({ maxRunning: 1, maxWaiting: 100, maxWaitingPerLane: 10 }),
};

/** For whom a password is hashed: who waits in one lane takes turns with the others. */
export interface Turn {
  lane: string;
  /** Whether it is a browser where the person has signed in before. */
  isKnown: boolean;
}

/** For the service itself. */
const ourTurn: Turn = { lane: "", isKnown: false };

const inTurn = <Result>({ lane, isKnown }: Turn, work: () => Promise<Result>): Promise<Result> =>
  gates[isKnown ? "known" : "strangers"].run(lane, work);

/** argon2id with the parameters of OWASP's first choice: 19 MiB, 2 passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** @throws AppError TOO_MANY_REQUESTS or SERVICE_UNAVAILABLE if too many wait already */
export const hashPassword = (password: string, turn: Turn = ourTurn): Promise<string> =>
  inTurn(turn, () => hash(password.normalize("NFKC"), cost));

/** What the password of an unknown account is compared with, so that it takes as long as for a known one. */
let nobody: Promise<string> | undefined;

/**
 * Whether a password is the one of a hash. Without a hash the answer is no, after the same time.
 * @throws AppError TOO_MANY_REQUESTS or SERVICE_UNAVAILABLE if too many wait already
 */
export async function passwordMatches(
  password: string,
  stored: string | null | undefined,
  turn: Turn = ourTurn,
): Promise<boolean> {
  nobody ??= hash("an account that does not exist", cost);
  const against = stored ?? (await nobody);
  const same = await inTurn(turn, () => verify(against, password.normalize("NFKC")));
  return same && stored !== null && stored !== undefined;
}
