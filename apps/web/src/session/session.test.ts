import type { User } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { expiryOf, isLive, roleOf, SessionStore } from "./session.ts";

const tokenUntil = (ms: number) => `x.${btoa(JSON.stringify({ exp: Math.floor(ms / 1000) }))}.y`;
const aUser = (fields: Partial<User> = {}) =>
  ({ email: "a@b.test", organization: { uuid: "o", name: "O" }, is_organization_manager: false, ...fields }) as User;
const later = Date.now() + 3_600_000;

function storage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  } as Storage;
}

describe("roleOf", () => {
  it("tells manager, user and guest apart", () => {
    expect(roleOf(aUser({ is_organization_manager: true }))).toBe("manager");
    expect(roleOf(aUser())).toBe("user");
    expect(roleOf(aUser({ organization: null }))).toBe("guest");
  });
});

describe("isLive", () => {
  it("needs a user and a token that has not expired", () => {
    const token = tokenUntil(later);
    expect(isLive({ token, user: aUser() }, Date.now())).toBe(true);
    expect(isLive({ user: aUser() }, Date.now())).toBe(false);
    expect(isLive({ token }, Date.now())).toBe(false);
    expect(isLive({ token: tokenUntil(1000), user: aUser() }, Date.now())).toBe(false);
    expect(isLive({ token: "nonsense", user: aUser() }, Date.now())).toBe(false);
  });

  it("reads the expiry of base64url too", () => {
    expect(
      expiryOf(
        `x.${btoa(JSON.stringify({ exp: 5, name: "üÿ~".normalize() }))
          .replaceAll("+", "-")
          .replaceAll("/", "_")}.y`,
      ),
    ).toBe(5000);
  });
});

describe("SessionStore", () => {
  it("outlives a reload, takes a renewed token and is gone after closing", () => {
    const kept = storage();
    const store = new SessionStore(kept);
    let told = 0;
    store.subscribe(() => told++);
    store.open({ token: tokenUntil(later), user: aUser() });
    store.renew(tokenUntil(later + 1000));
    expect(new SessionStore(kept).current?.token).toBe(tokenUntil(later + 1000));
    store.close();
    expect([store.current, new SessionStore(kept).current, told]).toEqual([undefined, undefined, 3]);
  });

  it("tells signing out from a session that ended", () => {
    const store = new SessionStore(storage());
    store.close();
    expect(store.hasSignedOut).toBe(false);
    store.close({ bySelf: true });
    expect(store.hasSignedOut).toBe(true);
    store.open({ token: tokenUntil(later), user: aUser() });
    expect(store.hasSignedOut).toBe(false);
  });

  it("takes what it cannot read for no session", () => {
    const kept = storage();
    kept.setItem("terrarium.session", "{");
    expect(new SessionStore(kept).current).toBeUndefined();
  });
});
