import type { Clock } from "@terrarium/clock";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { spendChallenge } from "./passkeys.store.ts";

/** How long somebody may take to touch, type or scan what their browser asks for. */
export const CHALLENGE_MS = 5 * 60_000;

const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const SIGNED_BYTES = NONCE_BYTES + TIME_BYTES;

/** What a challenge is for: the act, and who does it. An answer counts for nothing else. */
export type Purpose =
  | readonly ["sign in"]
  | readonly ["confirm a sign-in", user: string]
  | readonly ["set up", user: string]
  | readonly ["add", user: string, session: string];

/**
 * What passkeys sign: random bytes, when they expire, and our own signature of both and of their purpose. So none is stored before it
 * comes back, and a page that only asks costs nothing; those that came back are, until they expire, so that each counts once.
 */
export class PasskeyChallenges {
  readonly #deps: { db: Database; clock: Clock; secret: Uint8Array };

  constructor(deps: { db: Database; clock: Clock; secret: Uint8Array }) {
    this.#deps = deps;
  }

  /** In base64url. */
  issue(purpose: Purpose): string {
    const signed = Buffer.alloc(SIGNED_BYTES);
    randomBytes(NONCE_BYTES).copy(signed);
    signed.writeUIntBE(this.#deps.clock.now() + CHALLENGE_MS, NONCE_BYTES, TIME_BYTES);
    return Buffer.concat([signed, this.#signatureOf(signed, purpose)]).toString("base64url");
  }

  /** Whether it was issued for this purpose, in time, and has not been taken before. */
  async take(challenge: string, purpose: Purpose): Promise<boolean> {
    const { db, clock } = this.#deps;
    const bytes = Buffer.from(challenge, "base64url");
    const [signed, signature] = [bytes.subarray(0, SIGNED_BYTES), bytes.subarray(SIGNED_BYTES)];
    const expected = this.#signatureOf(signed, purpose);
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return false;
    const expiresAt = signed.readUIntBE(NONCE_BYTES, TIME_BYTES);
    // The bytes, as some of them can be written in several ways.
    return expiresAt > clock.now() && spendChallenge(db, bytes.toString("base64url"), new Date(expiresAt));
  }

  #signatureOf(signed: Uint8Array, purpose: Purpose): Buffer {
    return createHmac("sha256", this.#deps.secret).update(JSON.stringify(purpose)).update(signed).digest();
  }
}
