import type { Clock } from "@terrarium/clock";
import { AppError, limits, Puzzle } from "@terrarium/contract";
import { createChallenge, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/sha";
import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import type { BotCheck } from "./bot-check.ts";
import { spendPuzzle } from "./bot-check.store.ts";

/** How a solution's hash begins: one number in 4,096 is one. */
const KEY_PREFIX = "000";

/** JSON in base64, as ALTCHA's own widget sends it. */
const Solved = z
  .base64()
  .transform((text): unknown => {
    try {
      return JSON.parse(Buffer.from(text, "base64").toString());
    } catch {
      // Which is no solution.
      return undefined;
    }
  })
  .pipe(z.object({ challenge: Puzzle, solution: z.object({ counter: z.int(), derivedKey: z.string() }) }));

export interface AltchaOptions {
  db: Database;
  clock: Clock;
  /** Signs puzzles, so that only ours are accepted. */
  secret: Uint8Array;
  /** How many hashes a try takes; some 4,096 tries are needed. */
  cost: number;
}

/**
 * Puzzles of ALTCHA (altcha.org, version 2), which need no other service. A puzzle is signed and not stored; only those that were solved
 * are, until they expire, so that none is used twice.
 */
export function altcha({ db, clock, secret, cost }: AltchaOptions): BotCheck {
  const hmacSignatureSecret = Buffer.from(secret).toString("base64");
  return {
    async puzzle() {
      // Not `expiresAt`: the library would compare it with the system's time.
      const data = { expires: clock.now() + limits.puzzleMinutes * 60_000 };
      const algorithm = "SHA-256";
      const options = { algorithm, cost, data, deriveKey, hmacSignatureSecret, keyPrefix: KEY_PREFIX };
      return Puzzle.parse(await createChallenge(options));
    },
    async check(token) {
      const { data: solved } = Solved.safeParse(token);
      if (!solved) throw new AppError("BOT_CHECK_FAILED");
      const { challenge, solution } = solved;
      const { expires } = challenge.parameters.data;
      const isSolved =
        expires > clock.now() &&
        (await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })).verified &&
        (await spendPuzzle(db, challenge.signature, new Date(expires)));
      if (!isSolved) throw new AppError("BOT_CHECK_FAILED");
    },
  };
}
