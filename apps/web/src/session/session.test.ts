import type { User } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { expiryOf, isLive, roleOf, SessionStore } from "./session.ts";

const tokenUntil = (ms: number, sid?: string) => `x.${btoa(JSON.stringify({ exp: Math.floor(ms / 1000), sid }))}.y`;
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

  it("takes over what another tab has stored, also when nothing told of it", () => {
    const kept = storage();
    const [here, there] = [new SessionStore(kept), new SessionStore(kept)];
    let told = 0;
    here.subscribe(() => told++);
    there.open({ token: tokenUntil(later), user: aUser() });
    here.sync();
    there.renew(tokenUntil(later + 1000));
    here.sync();
    here.sync();
    expect([here.current?.token, told]).toEqual([tokenUntil(later + 1000), 2]);
  });

  it.each([
    ["of another session", tokenUntil(later + 1000, "former")],
    ["that is older than the present one", tokenUntil(later - 1000, "present")],
  ])("drops a renewed token %s, which came late", (_, late) => {
    const store = new SessionStore(storage());
    store.open({ token: tokenUntil(later, "present"), user: aUser() });
    store.renew(late);
    expect(store.current?.token).toBe(tokenUntil(later, "present"));
  });

  it("drops a renewed token when another tab has signed in anew meanwhile", () => {
    const kept = storage();
    const store = new SessionStore(kept);
    store.open({ token: tokenUntil(later, "former"), user: aUser() });
    new SessionStore(kept).open({ token: tokenUntil(later, "newer"), user: aUser() });
    store.renew(tokenUntil(later + 1000, "former"));
    expect(new SessionStore(kept).current?.token).toBe(tokenUntil(later, "newer"));
  });

  it("ends when its token is refused, or a former one of it, and not when another session's is", () => {
    const kept = storage();
    const store = new SessionStore(kept);
    const open = () => store.open({ token: tokenUntil(later, "present"), user: aUser() });
    open();
    store.refused(tokenUntil(later, "former"));
    store.refused(undefined);
    expect(store.current).toBeDefined();
    store.refused(tokenUntil(later - 1000, "present"));
    expect(store.current).toBeUndefined();
    open();
    // Another tab has signed in anew.
    new SessionStore(kept).open({ token: tokenUntil(later, "newer"), user: aUser() });
    store.refused(tokenUntil(later, "present"));
    expect(store.current?.token).toBe(tokenUntil(later, "newer"));
  });

  it("ends with a token that has run out, of which the service is not told", () => {
    const kept = storage();
    kept.setItem("terrarium.session", JSON.stringify({ token: tokenUntil(1000, "past"), user: aUser() }));
    const store = new SessionStore(kept);
    let told = 0;
    store.subscribe(() => told++);
    store.refused(undefined);
    expect([told, kept.getItem("terrarium.session")]).toEqual([1, null]);
  });
});
