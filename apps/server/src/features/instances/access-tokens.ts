import type { Clock } from "@terrarium/clock";
import { jwtVerify, SignJWT } from "jose";

/** Long enough to open a display, short enough to be useless soon after. */
const ACCESS_TOKEN_MS = 5 * 60 * 1000;

const AUDIENCE = "terrarium-player";

interface AccessClaims {
  instance: string;
  user: string;
  role: "owner" | "participant";
  /** The session or API token that asked for it: it ends with that. */
  credential: string;
  /** The link to a page of others that it was asked for with, in place of a person: `user` is the same. It ends with that, too. */
  link?: string | undefined;
}

export interface AccessTokens {
  issue(claims: AccessClaims): Promise<{ access_token: string; expires_at: string }>;
  read(token: string): Promise<AccessClaims | "expired" | undefined>;
}

/** Tokens that open the display of one device to one person. They are of another audience than a session's, so neither serves as the other. */
export function accessTokens(secret: Uint8Array, clock: Clock): AccessTokens {
  return {
    async issue({ instance, user, role, credential, link }) {
      const expires = clock.now() + ACCESS_TOKEN_MS;
      const access_token = await new SignJWT({ instance, role, credential, link })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setSubject(user)
        .setAudience(AUDIENCE)
        .setExpirationTime(Math.floor(expires / 1000))
        .sign(secret);
      return { access_token, expires_at: new Date(expires).toISOString() };
    },

    async read(token) {
      try {
        const { payload } = await jwtVerify<Omit<AccessClaims, "user">>(token, secret, {
          algorithms: ["HS256"],
          audience: AUDIENCE,
          currentDate: new Date(clock.now()),
          requiredClaims: ["sub", "exp", "instance", "role", "credential"],
        });
        const { instance, role, credential, link } = payload;
        return { instance, user: payload.sub ?? "", role, credential, ...(link !== undefined && { link }) };
      } catch (error) {
        return (error as { code?: string }).code === "ERR_JWT_EXPIRED" ? "expired" : undefined;
      }
    },
  };
}
