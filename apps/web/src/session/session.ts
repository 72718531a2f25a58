import type { Session as SignIn, User } from "@terrarium/contract";
import { Listeners } from "../components/listeners.ts";

const KEY = "terrarium.session";

export type Role = "manager" | "user" | "guest" | "operator";

export interface Session {
  token: string;
  user: User;
}

/** Manager: manages an organization. User: belongs to one. Guest: to none. Operator: runs the service, and is no customer. */
export function roleOf(user: Pick<User, "organization" | "is_organization_manager" | "is_operator">): Role {
  if (user.is_operator) return "operator";
  if (user.organization === null) return "guest";
  return user.is_organization_manager ? "manager" : "user";
}

/** What a token says of itself: when it ends, in milliseconds since 1970, and of which session it is. */
function claimsOf(token: string): { expiresAt: number; session: unknown } {
  try {
    const payload: unknown = JSON.parse(atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/")));
    const { exp, sid } = payload as { exp?: unknown; sid?: unknown };
    return { expiresAt: typeof exp === "number" ? exp * 1000 : 0, session: sid };
  } catch {
    return { expiresAt: 0, session: undefined };
  }
}

/** When a token ends, in milliseconds since 1970; 0 for what is no token. */
export const expiryOf = (token: string): number => claimsOf(token).expiresAt;

/** A session is one only with a user and with a token that has not expired. */
export const isLive = (session: Partial<Session> | undefined, now: number): session is Session =>
  session?.user !== undefined && session.token !== undefined && expiryOf(session.token) > now;

/** Who is signed in, stored in the browser and shared by its tabs. */
export class SessionStore {
  readonly #storage: Storage;
  /** What the storage had when it was last read or written. */
  #stored: string | null = null;
  #session: Session | undefined;
  /** True after the person signed out here, as opposed to a session that ended. */
  hasSignedOut = false;
  /** True while what is known was last heard from another tab. */
  isOfOtherTab = false;
  readonly #listeners = new Listeners();

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#session = this.#read();
    // A page that was frozen, or cached for the way back, has missed all events.
    for (const type of ["storage", "pageshow"]) globalThis.addEventListener?.(type, () => this.sync());
  }

  /** Takes over what other tabs have stored. A former token must not be used for long after they have renewed it. */
  sync(): void {
    if (this.#storage.getItem(KEY) === this.#stored) return;
    this.isOfOtherTab = true;
    this.#change(this.#read());
  }

  /** The session now; undefined when nobody is signed in or the token is over. */
  get current(): Session | undefined {
    return isLive(this.#session, Date.now()) ? this.#session : undefined;
  }

  open({ token, user }: SignIn): void {
    this.hasSignedOut = this.isOfOtherTab = false;
    this.#store({ token, user });
  }

  /** A fresh token of the same session. One that comes late is dropped: somebody else may have signed in, or a fresher one be there. */
  renew(token: string): void {
    this.sync();
    if (!this.#session) return;
    const [fresh, present] = [claimsOf(token), claimsOf(this.#session.token)];
    if (fresh.session === present.session && fresh.expiresAt > present.expiresAt)
      this.#store({ ...this.#session, token });
  }

  /** The token was refused. Another session, which was begun meanwhile, goes on. */
  refused(token: string | undefined): void {
    this.sync();
    if (token === undefined) this.forgetExpired();
    else if (this.#session && claimsOf(token).session === claimsOf(this.#session.token).session) this.close();
  }

  update(user: User): void {
    if (this.#session) this.#store({ ...this.#session, user });
  }

  /** `bySelf`: the person signed out, and need not be led back to where they were. */
  close({ bySelf = false } = {}): void {
    // A late refusal does not turn a sign-out into a session that ended.
    if (bySelf || this.#session) this.hasSignedOut = bySelf;
    this.#storage.removeItem(KEY);
    this.#stored = null;
    this.#change(undefined);
  }

  /** Removes what is left of a session whose token is over. */
  forgetExpired(): void {
    if (this.#session && !this.current) this.close();
  }

  readonly subscribe = this.#listeners.subscribe;

  #store(session: Session): void {
    this.#stored = JSON.stringify(session);
    this.#storage.setItem(KEY, this.#stored);
    this.#change(session);
  }

  #read(): Session | undefined {
    this.#stored = this.#storage.getItem(KEY);
    try {
      return (JSON.parse(this.#stored ?? "null") as Session | null) ?? undefined;
    } catch {
      return undefined;
    }
  }

  #change(session: Session | undefined): void {
    this.#session = session;
    this.#listeners.notify();
  }
}
