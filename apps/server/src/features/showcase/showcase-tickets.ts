import type { Clock } from "@terrarium/clock";
import { jwtVerify, SignJWT } from "jose";

/** A page shows it at once. */
export const TICKET_MS = 60_000;

const AUDIENCE = "terrarium-showcase";

export interface ShowcaseTickets {
  issue(instance: string): Promise<{ access_token: string; expires_at: string }>;
  /** The device that the ticket is for. */
  read(ticket: string): Promise<{ instance: string } | "expired" | undefined>;
}

/**
 * What admits a stranger to the device that is shown to everybody. The audience is another than that of the tokens for one's own devices,
 * so neither opens what the other does.
 */
export function showcaseTickets(secret: Uint8Array, clock: Clock): ShowcaseTickets {
  return {
    async issue(instance) {
      const expires = clock.now() + TICKET_MS;
      const access_token = await new SignJWT({ instance })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setAudience(AUDIENCE)
        .setExpirationTime(Math.floor(expires / 1000))
        .sign(secret);
      return { access_token, expires_at: new Date(expires).toISOString() };
    },

    async read(ticket) {
      try {
        const { payload } = await jwtVerify<{ instance: string }>(ticket, secret, {
          algorithms: ["HS256"],
          audience: AUDIENCE,
          currentDate: new Date(clock.now()),
          requiredClaims: ["exp", "instance"],
        });
        return { instance: payload.instance };
      } catch (error) {
        return (error as { code?: string }).code === "ERR_JWT_EXPIRED" ? "expired" : undefined;
      }
    },
  };
}
