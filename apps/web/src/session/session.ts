import type { Session as SignIn, User } from "@terrarium/contract";
import { Listeners } from "../components/listeners.ts";

const KEY = "terrarium.session";

export type Role = "manager" | "user" | "guest";

export interface Session {
  token: string;
  user: User;
}

/** Manager: manages an organization. User: belongs to one. Guest: to none. */
export function roleOf(user: Pick<User, "organization" | "is_organization_manager">): Role {
  if (user.organization === null) return "guest";
  return user.is_organization_manager ? "manager" : "user";
}

/** When a token ends, in milliseconds since 1970; 0 for what is no token. */
export function expiryOf(token: string): number {
  try {
    const payload: unknown = JSON.parse(atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/")));
    const { exp } = payload as { exp?: unknown };
    return typeof exp === "number" ? exp * 1000 : 0;
  } catch {
    return 0;
  }
}

/** A session is one only with a user and with a token that has not expired. */
export const isLive = (session: Partial<Session> | undefined, now: number): session is Session =>
  session?.user !== undefined && session.token !== undefined && expiryOf(session.token) > now;

/** Who is signed in, kept in the browser and shared by its tabs. */
export class SessionStore {
  readonly #storage: Storage;
  #session: Session | undefined;
  #hasSignedOut = false;
  readonly #listeners = new Listeners();

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#session = this.#read();
    globalThis.addEventListener?.("storage", (event) => {
      if (event.key === KEY) this.#change(this.#read());
    });
  }

  /** The session now; undefined when nobody is signed in or the token is over. */
  get current(): Session | undefined {
    return isLive(this.#session, Date.now()) ? this.#session : undefined;
  }

  /** True after the person signed out here, as opposed to a session that ended. */
  get hasSignedOut(): boolean {
    return this.#hasSignedOut;
  }

  open({ token, user }: SignIn): void {
    this.#hasSignedOut = false;
    this.#keep({ token, user });
  }

  /** A fresh token of the same session. */
  renew(token: string): void {
    if (this.#session) this.#keep({ ...this.#session, token });
  }

  update(user: User): void {
    if (this.#session) this.#keep({ ...this.#session, user });
  }

  /** `bySelf`: the person signed out, and need not be led back to where they were. */
  close({ bySelf = false } = {}): void {
    // A late refusal does not turn a sign-out into a session that ended.
    if (bySelf || this.#session) this.#hasSignedOut = bySelf;
    this.#storage.removeItem(KEY);
    this.#change(undefined);
  }

  /** Removes what is left of a session whose token is over. */
  forgetExpired(): void {
    if (this.#session && !this.current) this.close();
  }

  readonly subscribe = this.#listeners.subscribe;

  #keep(session: Session): void {
    this.#storage.setItem(KEY, JSON.stringify(session));
    this.#change(session);
  }

  #read(): Session | undefined {
    try {
      return (JSON.parse(this.#storage.getItem(KEY) ?? "null") as Session | null) ?? undefined;
    } catch {
      return undefined;
    }
  }

  #change(session: Session | undefined): void {
    this.#session = session;
    this.#listeners.notify();
  }
}
