import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import { jwtVerify, SignJWT } from "jose";
import { createHmac } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { findUser, type UserRow } from "../users/accounts.ts";

/** How long somebody may take to find their phone, or to set up an app. */
export const TICKET_MS = 10 * 60_000;

/**
 * What a ticket is for: to `confirm` a sign-in with a second factor; to `set-up` the first one, where the organization requires it, and to
 * finish that with an authenticator app (`totp`), whose secret it carries; to `add` an app in the session that it names, and to open none.
 */
export type Purpose = "confirm" | "set-up" | "totp" | "add";

/** What a ticket carries. */
interface About {
  secret?: string | undefined;
  session?: string | undefined;
  /** In which way the sign-in was begun. */
  way?: string | undefined;
}

/**
 * Tickets say what somebody has proved by now, and admit to the next step alone. They are signed (JWT, HS256) and stored nowhere. A ticket is
 * for one account as it was: a new password voids it, and so does disabling the account.
 */
export class Tickets {
  readonly #secret: Uint8Array;
  readonly #clock: Clock;

  constructor(secret: Uint8Array, clock: Clock) {
    this.#secret = secret;
    this.#clock = clock;
  }

  /** @param about is sent along, and can be read by whoever has the ticket */
  issue(purpose: Purpose, user: Pick<UserRow, "uuid" | "password_hash">, about: About = {}): Promise<string> {
    return new SignJWT({ ...about, state: this.#stateOf(user) })
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(user.uuid)
      .setAudience(audienceOf(purpose))
      .setExpirationTime(Math.floor((this.#clock.now() + TICKET_MS) / 1000))
      .sign(this.#secret);
  }

  /**
   * Whose ticket it is, and what was sent along.
   * @throws AppError SECOND_FACTOR_EXPIRED also if it is for something else, or the account has changed
   */
  async read(db: Database, purpose: Purpose, ticket: string): Promise<About & { user: UserRow }> {
    const expired = (cause?: unknown) => new AppError("SECOND_FACTOR_EXPIRED", { cause });
    const { payload } = await jwtVerify<About & { state: string }>(ticket, this.#secret, {
      algorithms: ["HS256"],
      audience: audienceOf(purpose),
      currentDate: new Date(this.#clock.now()),
    }).catch((cause: unknown) => {
      throw expired(cause);
    });
    const user = await findUser(db, payload.sub ?? "");
    if (!user?.is_enabled || payload.state !== this.#stateOf(user)) throw expired();
    return { user, secret: payload.secret, session: payload.session, way: payload.way };
  }

  #stateOf({ uuid, password_hash }: Pick<UserRow, "uuid" | "password_hash">): string {
    return createHmac("sha256", this.#secret)
      .update(JSON.stringify([uuid, password_hash]))
      .digest("base64url");
  }
}

const audienceOf = (purpose: Purpose) => `terrarium second factor: ${purpose}`;
