import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../testing/sharing.ts";
import { CHALLENGE_MS } from "./challenges.ts";
import { listPasskeys } from "./passkeys.store.ts";
import { usesByClient } from "./sign-in-with-passkey.ts";
import { signedIn } from "./testing/signed-in.ts";
import type { SoftwareAuthenticator } from "./testing/software-authenticator.ts";

describe("signing in with a passkey", () => {
  it("takes nothing else", async () => {
    const { add, signIn, robin, call, shown, clock } = await signedIn();
    const { authenticator } = await add();
    authenticator.behaviour.isSynced = true;
    const answer = await signIn(authenticator);
    expect(answer.json()).toMatchObject({ user: { uuid: robin.user.uuid } });
    const headers = { authorization: `Bearer ${answer.json<{ token: string }>().token}` };
    expect((await call("GET", `/v1/users/${robin.user.uuid}`, { headers })).statusCode).toBe(200);
    const used = { last_used_at: new Date(clock.now()).toISOString(), is_synced: true };
    expect(await shown()).toMatchObject([used]);
  });

  it("takes nothing else where the account has an authenticator app, or the organization requires a second factor", async () => {
    const { add, signIn, robin, db, call } = await signedIn();
    const { authenticator } = await add();
    await db.updateTable("organizations").set({ requires_second_factor: true }).execute();
    const { email, password } = robin.user;
    const byPassword = await call("POST", "/v1/users/login", { body: { email, password } });
    expect(outcomeOf(byPassword)).toBe("403 SECOND_FACTOR_REQUIRED");
    expect((await signIn(authenticator)).statusCode).toBe(200);
    await db
      .insertInto("totp_factors")
      .values({ user_uuid: robin.user.uuid, secret: Buffer.alloc(48), last_step: 0, created_at: new Date() })
      .execute();
    expect((await signIn(authenticator)).statusCode).toBe(200);
  });

  it("asks for any passkey, so that the page knows no account", async () => {
    const { ask } = await signedIn();
    const asked = await ask();
    expect(asked).toEqual({
      challenge: expect.any(String),
      rpId: "devices.example",
      timeout: CHALLENGE_MS,
      userVerification: "required",
    });
  });

  it("works once with what was signed", async () => {
    const { add, ask, login } = await signedIn();
    const { authenticator } = await add();
    const signed = authenticator.use(await ask());
    expect((await login(signed)).statusCode).toBe(200);
    expect(outcomeOf(await login(signed))).toBe("403 PASSKEY_REFUSED");
  });

  it("works for five minutes", async () => {
    const { add, ask, login, clock } = await signedIn();
    const { authenticator } = await add();
    const signed = authenticator.use(await ask());
    await clock.advance(CHALLENGE_MS);
    expect(outcomeOf(await login(signed))).toBe("403 PASSKEY_REFUSED");
  });

  it.each<[string, (authenticator: SoftwareAuthenticator) => void]>([
    ["on a page of another origin", ({ behaviour }) => (behaviour.origin = "https://devices.example.evil")],
    ["in a frame of another page", ({ behaviour }) => (behaviour.isFramed = true)],
    ["without a check that it is its owner", ({ behaviour }) => (behaviour.isVerified = false)],
  ])("does not work %s", async (_, misbehave) => {
    const { add, signIn } = await signedIn();
    const { authenticator } = await add();
    misbehave(authenticator);
    expect(outcomeOf(await signIn(authenticator))).toBe("403 PASSKEY_REFUSED");
  });

  it("does not work with another's signature, nor for another account", async () => {
    const { add, ask, login, as } = await signedIn();
    const { authenticator } = await add();
    const kims = (await add(await as())).authenticator;
    const [own, other] = [authenticator.use(await ask()), kims.use(await ask())];
    const { signature, userHandle } = other.response;
    expect(outcomeOf(await login({ ...own, response: { ...own.response, signature } }))).toBe("403 PASSKEY_REFUSED");
    const again = authenticator.use(await ask());
    for (const handle of [userHandle, undefined]) {
      const response = { ...again.response, userHandle: handle };
      expect(outcomeOf(await login({ ...again, response }))).toBe("403 PASSKEY_REFUSED");
    }
  });

  it("does not work when the passkey has counted less than before, as a copy would", async () => {
    const { add, signIn } = await signedIn();
    const { authenticator } = await add();
    authenticator.counter = 7;
    expect((await signIn(authenticator)).statusCode).toBe(200);
    for (const count of [7, 6, 0]) {
      authenticator.counter = count;
      expect(outcomeOf(await signIn(authenticator))).toBe("403 PASSKEY_REFUSED");
    }
    authenticator.counter = 8;
    expect((await signIn(authenticator)).statusCode).toBe(200);
  });

  it("says that a passkey was removed", async () => {
    const { add, signIn, robin, pathOf, audited } = await signedIn();
    const { authenticator, uuid } = await add();
    await robin.delete(`${pathOf(robin)}/${uuid}`, { password: robin.user.password });
    expect(outcomeOf(await signIn(authenticator))).toBe("403 PASSKEY_UNKNOWN");
    const refusals = (await audited()).filter(({ outcome }) => outcome === "refused");
    expect(refusals).toMatchObject([{ action: "route.use", details: { code: "PASSKEY_UNKNOWN" } }]);
  });

  it.each([{ is_enabled: false }, { is_validated: false }])("is refused to an account that is %o", async (fields) => {
    const { add, signIn, db, robin } = await signedIn();
    const { authenticator } = await add();
    await db.updateTable("users").set(fields).where("uuid", "=", robin.user.uuid).execute();
    expect(outcomeOf(await signIn(authenticator))).toBe("403 USER_NOT_ENABLED");
  });

  it("ends with the account", async () => {
    const { add, signIn, db, robin } = await signedIn();
    const { authenticator } = await add();
    expect((await robin.delete(`/v1/users/${robin.user.uuid}`, { password: robin.user.password })).statusCode).toBe(
      204,
    );
    expect(outcomeOf(await signIn(authenticator))).toBe("403 PASSKEY_UNKNOWN");
    expect(await listPasskeys(db, robin.user.uuid)).toEqual([]);
  });

  it("is tried so often from one address", async () => {
    const { add, login, ask } = await signedIn();
    const { authenticator } = await add();
    const wrong = authenticator.use({ challenge: "", rpId: "devices.example" });
    for (let tries = 0; tries < usesByClient.max; tries++)
      expect(outcomeOf(await login(wrong))).toBe("403 PASSKEY_REFUSED");
    expect(outcomeOf(await login(authenticator.use(await ask())))).toBe("429 TOO_MANY_REQUESTS");
  });

  it("is for our own pages", async () => {
    const { call } = await signedIn();
    const headers = { origin: "https://elsewhere.example" };
    for (const path of ["/v1/passkeys/options", "/v1/passkeys/login"])
      expect(outcomeOf(await call("POST", path, { headers, body: {} }))).toBe("403 ORIGIN_NOT_ALLOWED");
  });

  it("tells the owner of a new place, and knows the browser the next time", async () => {
    const { add, ask, call, mails } = await signedIn();
    const { authenticator } = await add();
    const signInAt = async (from: string, browser_token?: string) => {
      const body = { credential: authenticator.use(await ask()), browser_token };
      const answer = await call("POST", "/v1/passkeys/login", { body, from });
      const told = (await mails()).filter(({ subject }) => subject === "New sign-in to your Terrarium account");
      return { told: told.length, token: answer.json<{ browser_token: string }>().browser_token };
    };
    const { told: before } = await signInAt("192.0.2.7");
    const { told, token } = await signInAt("198.51.100.4");
    expect(told).toBe(before + 1);
    expect((await signInAt("203.0.113.9", token)).told).toBe(told);
    expect((await signInAt("203.0.113.77")).told).toBe(told + 1);
  });
});
