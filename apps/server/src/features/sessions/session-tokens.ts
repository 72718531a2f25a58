import type { Clock } from "@terrarium/clock";
import { errors, jwtVerify, SignJWT } from "jose";

/** A token is good for a day and renewed in its second half, while it is used. */
export const SESSION_MS = 24 * 60 * 60 * 1000;

const AUDIENCE = "terrarium";

export interface SessionClaims {
  session: string;
  user: string;
  /** The first token of a session has 0; each renewal adds one. */
  generation: number;
  /** From then on the token is in the second half of its life. */
  renewAt: number;
  expiresAt: number;
}

export interface RefusedToken {
  refused: "expired" | "forged";
  /** The session that a genuine token was for. */
  session?: string;
}

export interface SessionTokens {
  issue(session: { uuid: string; user_uuid: string }, generation?: number): Promise<string>;
  /** `forged` for anything but a token that this installation issued. */
  read(token: string): Promise<SessionClaims | RefusedToken>;
}

/** Tokens of signed-in people: HS256 with the installation's own key. They carry ids only; rights are read afresh each time. */
export function sessionTokens(secret: Uint8Array, clock: Clock): SessionTokens {
  const seconds = (ms: number) => Math.floor(ms / 1000);
  return {
    issue: ({ uuid, user_uuid }, generation = 0) =>
      new SignJWT({ sid: uuid, gen: generation })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setSubject(user_uuid)
        .setAudience(AUDIENCE)
        .setIssuedAt(seconds(clock.now()))
        .setExpirationTime(seconds(clock.now() + SESSION_MS))
        .sign(secret),

    async read(token) {
      try {
        const { payload } = await jwtVerify<{ sid: string; gen?: number }>(token, secret, {
          algorithms: ["HS256"],
          audience: AUDIENCE,
          currentDate: new Date(clock.now()),
        });
        const expiresAt = (payload.exp ?? 0) * 1000;
        return {
          session: payload.sid,
          user: payload.sub ?? "",
          // Tokens of older versions have no number.
          generation: payload.gen ?? 0,
          renewAt: expiresAt - SESSION_MS / 2,
          expiresAt,
        };
      } catch (error) {
        // The signature is verified before the time.
        if (!(error instanceof errors.JWTExpired)) return { refused: "forged" };
        return { refused: "expired", session: String(error.payload["sid"]) };
      }
    },
  };
}
