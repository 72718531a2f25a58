import { limits } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { passwordProofs } from "../users/prove-password.ts";
import { CHALLENGE_MS } from "./challenges.ts";
import { deleteSpentChallenges } from "./passkeys.jobs.ts";
import { listPasskeys } from "./passkeys.store.ts";
import { usesByClient } from "./sign-in-with-passkey.ts";
import { SoftwareAuthenticator } from "./testing/software-authenticator.ts";

const publicUrl = "https://devices.example";
type Options = Parameters<typeof createTestApp>[0];

interface Shown {
  uuid: string;
  name: string;
  last_used_at: string | null;
  is_synced: boolean;
  works_here: boolean;
}

/** Robin, signed in, at an installation with an address of its own. */
async function signedIn(options: Options = {}) {
  const test = await createTestApp({ publicUrl, ...options });
  const robin = await test.as();
  type Person = typeof robin;
  const pathOf = ({ user }: Person) => `/v1/users/${user.uuid}/passkeys`;
  const begin = (person = robin, password = person.user.password) =>
    person.post(`${pathOf(person)}/options`, { password });
  const finish = (credential: object, person = robin, name = "My phone") =>
    person.post(pathOf(person), { name, credential });
  /** Adds a passkey as its owner does; returns the authenticator. */
  const add = async (person = robin, name?: string) => {
    const authenticator = new SoftwareAuthenticator(publicUrl);
    const added = await finish(authenticator.make((await begin(person)).json()), person, name);
    return { authenticator, added, uuid: added.json<Shown>().uuid };
  };
  const ask = async () => (await test.call("POST", "/v1/passkeys/options")).json<{ challenge: string; rpId: string }>();
  const login = (credential: object, more: object = {}) =>
    test.call("POST", "/v1/passkeys/login", { body: { credential, ...more } });
  return {
    ...test,
    robin,
    begin,
    finish,
    add,
    ask,
    login,
    signIn: async (authenticator: SoftwareAuthenticator) => login(authenticator.use(await ask())),
    shown: async (person = robin) => (await person.get(pathOf(person))).json<{ passkeys: Shown[] }>().passkeys,
    pathOf,
    mails: async () => {
      const { rows } = await sql<{ to_address: string; subject: string; text: string }>`
        SELECT to_address, subject, text FROM mails ORDER BY created_at`.execute(test.db);
      return rows;
    },
  };
}

describe("adding a passkey", () => {
  it("asks the browser for one that can be found without a name, and that verifies its owner", async () => {
    const { robin, begin } = await signedIn();
    expect((await begin()).json()).toMatchObject({
      rp: { id: "devices.example" },
      user: { name: robin.user.email },
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      attestation: "none",
      timeout: CHALLENGE_MS,
      excludeCredentials: [],
    });
  });

  it("keeps it, and tells its owner", async () => {
    const { robin, add, shown, mails, audited } = await signedIn();
    const { added } = await add();
    expect(added.statusCode).toBe(201);
    const passkey = { name: "My phone", last_used_at: null, is_synced: false, works_here: true };
    expect(added.json()).toMatchObject(passkey);
    expect(await shown()).toMatchObject([passkey]);
    expect(await mails()).toMatchObject([
      { to_address: robin.user.email, subject: "A passkey was added to your Terrarium account" },
    ]);
    expect((await audited()).map(({ action }) => action)).toContain("passkey.add");
  });

  it("needs the password, of which one has as many tries as elsewhere", async () => {
    const { begin, robin } = await signedIn();
    for (let tries = 0; tries < passwordProofs.max; tries++)
      expect(outcomeOf(await begin(robin, "wrong horse 1"))).toBe("403 WRONG_PASSWORD");
    expect(outcomeOf(await begin())).toBe("429 TOO_MANY_REQUESTS");
  });

  it("needs a sign-in of the last minutes, as does removing one, where the account has no password", async () => {
    const { begin, add, robin, db, clock, pathOf, shown } = await signedIn();
    await db.updateTable("users").set({ password_hash: null }).where("uuid", "=", robin.user.uuid).execute();
    const { uuid } = await add();
    await clock.advance(11 * 60_000);
    expect(outcomeOf(await begin())).toBe("403 SIGN_IN_AGAIN");
    expect(outcomeOf(await robin.delete(`${pathOf(robin)}/${uuid}`, {}))).toBe("403 SIGN_IN_AGAIN");
    expect(await shown()).toHaveLength(1);
  });

  it("names what the browser has already, so that it makes no second one", async () => {
    const { add, begin, db, robin } = await signedIn();
    await add();
    const [row] = await listPasskeys(db, robin.user.uuid);
    const id = row?.credential_id.toString("base64url");
    expect((await begin()).json().excludeCredentials).toEqual([{ id, type: "public-key", transports: ["internal"] }]);
  });

  it("takes one passkey once, whoever adds it", async () => {
    const { as, add, begin, finish, db } = await signedIn();
    const kim = await as();
    const { authenticator } = await add();
    const theirs = authenticator.make((await begin(kim)).json());
    await db
      .updateTable("passkeys")
      .set({ credential_id: Buffer.from(theirs.id, "base64url") })
      .execute();
    expect(outcomeOf(await finish(theirs, kim))).toBe("409 PASSKEY_EXISTS");
  });

  it("takes as many as an account can have, also when two are added at once", async () => {
    const { add, begin, finish, shown, db } = await signedIn();
    await add();
    await sql`INSERT INTO passkeys SELECT gen_random_uuid(), user_uuid, gen_random_uuid()::text::bytea, public_key, counter,
      transports, rp_id, is_synced, name, created_at FROM passkeys, generate_series(3, ${limits.passkeys})`.execute(db);
    const made = [];
    for (let each = 0; each < 2; each++) made.push(new SoftwareAuthenticator(publicUrl).make((await begin()).json()));
    const outcomes = (await Promise.all(made.map((credential) => finish(credential)))).map(outcomeOf);
    expect(outcomes.map((outcome) => outcome.slice(0, 20)).sort()).toEqual(["201", "403 TOO_MANY_PASSKEY"]);
    expect(await shown()).toHaveLength(limits.passkeys);
    expect(outcomeOf(await begin())).toBe("403 TOO_MANY_PASSKEYS");
  });

  it("is not finished by a session that has ended meanwhile", async () => {
    const { begin, finish, robin, db } = await signedIn();
    const made = new SoftwareAuthenticator(publicUrl).make((await begin()).json());
    // After the call was admitted.
    await sql`CREATE FUNCTION end_sessions() RETURNS trigger AS $$ BEGIN
      UPDATE sessions SET ended_at = now(); RETURN NEW; END $$ LANGUAGE plpgsql`.execute(db);
    await sql`CREATE TRIGGER end_sessions AFTER INSERT ON spent_challenges FOR EACH ROW
      EXECUTE FUNCTION end_sessions()`.execute(db);
    expect(outcomeOf(await finish(made))).toBe("401 NOT_AUTHENTICATED");
    expect(await listPasskeys(db, robin.user.uuid)).toEqual([]);
  });

  it("is not for programs: an API token neither sees nor changes passkeys", async () => {
    const { robin, call, pathOf, add } = await signedIn();
    const { uuid } = await add();
    const { token } = (await robin.post("/v1/api-tokens", { description: "ci", scope: "admin" })).json();
    const headers = { "x-api-token": token as string };
    const { password } = robin.user;
    const path = pathOf(robin);
    for (const answer of [
      await call("GET", path, { headers }),
      await call("POST", `${path}/options`, { headers, body: { password } }),
      await call("PATCH", `${path}/${uuid}`, { headers, body: { name: "ci" } }),
      await call("DELETE", `${path}/${uuid}`, { headers, body: { password } }),
    ])
      expect(outcomeOf(answer)).toBe("403 FORBIDDEN");
  });

  it("is for oneself only", async () => {
    const { robin, as, call, pathOf, add, begin, finish, shown } = await signedIn();
    const { uuid } = await add();
    const kim = await as({ role: "manager", organization: robin.user.organization_uuid ?? "" });
    const made = new SoftwareAuthenticator(publicUrl).make((await begin(kim)).json());
    const { password } = kim.user;
    const path = pathOf(robin);
    const rename = (of: string) => call("PATCH", `${of}/${uuid}`, { headers: kim.headers, body: { name: "Mine" } });
    for (const answer of [
      await kim.get(path),
      await kim.post(`${path}/options`, { password }),
      await kim.post(path, { name: "Mine", credential: made }),
      await rename(path),
      await kim.delete(`${path}/${uuid}`, { password }),
    ])
      expect(outcomeOf(answer)).toBe("404 USER_NOT_FOUND");
    for (const answer of [await rename(pathOf(kim)), await kim.delete(`${pathOf(kim)}/${uuid}`, { password })])
      expect(outcomeOf(answer)).toBe("404 PASSKEY_NOT_FOUND");
    expect(await shown()).toMatchObject([{ uuid, name: "My phone" }]);
    // What Robin's session has begun.
    const theirs = new SoftwareAuthenticator(publicUrl).make((await begin()).json());
    expect(outcomeOf(await finish(theirs, kim))).toBe("403 PASSKEY_REFUSED");
  });
});

describe("a passkey that a browser has made is refused", () => {
  it.each<[string, (authenticator: SoftwareAuthenticator) => void]>([
    ["on a page of another origin", ({ behaviour }) => (behaviour.origin = "https://devices.example.evil")],
    ["in a frame of another page", ({ behaviour }) => (behaviour.isFramed = true)],
    ["without a check that it is its owner", ({ behaviour }) => (behaviour.isVerified = false)],
    ["with certificates, which may say what else to fetch", ({ behaviour }) => (behaviour.hasCertificate = true)],
  ])("%s", async (_, misbehave) => {
    const { begin, finish, shown } = await signedIn();
    const authenticator = new SoftwareAuthenticator(publicUrl);
    misbehave(authenticator);
    expect(outcomeOf(await finish(authenticator.make((await begin()).json())))).toBe("403 PASSKEY_REFUSED");
    expect(await shown()).toEqual([]);
  });

  it("for another host name", async () => {
    const { begin, finish } = await signedIn();
    const options = (await begin()).json();
    const made = new SoftwareAuthenticator(publicUrl).make({ ...options, rp: { id: "example", name: "" } });
    expect(outcomeOf(await finish(made))).toBe("403 PASSKEY_REFUSED");
  });

  it("when its challenge was answered before, has expired, was not ours, or was for something else", async () => {
    const { begin, finish, ask, clock, add, as, robin } = await signedIn();
    const authenticator = new SoftwareAuthenticator(publicUrl);
    const options = (await begin()).json();
    expect((await finish(authenticator.make(options))).statusCode).toBe(201);
    const refusedWith = async (challenge: string, person = robin) =>
      outcomeOf(await finish(authenticator.make({ ...options, challenge }), person));
    expect(await refusedWith(options.challenge)).toBe("403 PASSKEY_REFUSED");
    expect(await refusedWith("")).toBe("403 PASSKEY_REFUSED");
    expect(await refusedWith("A".repeat(72))).toBe("403 PASSKEY_REFUSED");
    expect(await refusedWith((await ask()).challenge)).toBe("403 PASSKEY_REFUSED");
    const late = (await begin()).json<{ challenge: string }>().challenge;
    await clock.advance(CHALLENGE_MS);
    expect(await refusedWith(late)).toBe("403 PASSKEY_REFUSED");
    expect((await add(await as())).added.statusCode).toBe(201);
  });

  it("when another session of its owner began it", async () => {
    const { begin, finish, call, robin } = await signedIn();
    const made = new SoftwareAuthenticator(publicUrl).make((await begin()).json());
    const { email, password } = robin.user;
    const { token } = (await call("POST", "/v1/users/login", { body: { email, password } })).json();
    const headers = { authorization: `Bearer ${token}` };
    const body = { name: "Mine", credential: made };
    const answer = await call("POST", `/v1/users/${robin.user.uuid}/passkeys`, { headers, body });
    expect(outcomeOf(answer)).toBe("403 PASSKEY_REFUSED");
    expect((await finish(made)).statusCode).toBe(201);
  });
});

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
    expect(outcomeOf(byPassword)).toBe("403 SECOND_FACTOR_SETUP_REQUIRED");
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

describe("one's passkeys", () => {
  it("have names, which one can change; another is suggested for the next", async () => {
    const { add, robin, pathOf, shown, call, audited } = await signedIn();
    const { uuid } = await add(robin, "Firefox on Windows");
    const headers = { ...robin.headers, "user-agent": "Mozilla/5.0 (Windows NT 10.0; rv:147.0) Firefox/147.0" };
    const suggested = async () => (await call("GET", pathOf(robin), { headers })).json().suggested_name;
    expect(await suggested()).toBe("Firefox on Windows 2");
    await call("PATCH", `${pathOf(robin)}/${uuid}`, { headers: robin.headers, body: { name: "My key" } });
    expect(await shown()).toMatchObject([{ uuid, name: "My key" }]);
    expect(await suggested()).toBe("Firefox on Windows");
    expect((await audited()).map(({ action }) => action)).toContain("passkey.rename");
    const empty = await call("PATCH", `${pathOf(robin)}/${uuid}`, { headers: robin.headers, body: { name: " " } });
    expect(outcomeOf(empty)).toBe("400 invalid_request");
  });

  it("are removed with the password, and the owner is told", async () => {
    const { add, robin, pathOf, shown, mails, audited } = await signedIn();
    const { uuid } = await add();
    const remove = (password: string) => robin.delete(`${pathOf(robin)}/${uuid}`, { password });
    expect(outcomeOf(await remove("wrong horse 1"))).toBe("403 WRONG_PASSWORD");
    expect(await shown()).toHaveLength(1);
    expect((await remove(robin.user.password)).statusCode).toBe(204);
    expect(await shown()).toEqual([]);
    expect((await mails()).at(-1)).toMatchObject({
      to_address: robin.user.email,
      subject: "A passkey was removed from your Terrarium account",
      text: expect.stringContaining("My phone"),
    });
    expect((await audited()).map(({ action }) => action)).toContain("passkey.remove");
    expect(outcomeOf(await remove(robin.user.password))).toBe("404 PASSKEY_NOT_FOUND");
  });

  it("are in the export of personal data, without their keys", async () => {
    const { add, robin } = await signedIn();
    await add();
    const held = (await robin.get(`/v1/users/${robin.user.uuid}/export`)).json();
    expect(held.passkeys).toMatchObject([{ name: "My phone", made_for: "devices.example" }]);
    expect(JSON.stringify(held.passkeys)).not.toContain('key"');
  });

  it("say which were made for another host name; those work no more, until the service is there again", async () => {
    const { add, signIn, shown, begin, db } = await signedIn();
    const { authenticator } = await add();
    await db.updateTable("passkeys").set({ rp_id: "former.example" }).execute();
    expect(await shown()).toMatchObject([{ works_here: false }]);
    expect(outcomeOf(await signIn(authenticator))).toBe("403 PASSKEY_UNKNOWN");
    expect((await begin()).json().excludeCredentials).toEqual([]);
  });

  it("are not to be had at an address for which browsers make none", async () => {
    const { begin, call, login, robin, pathOf } = await signedIn({ publicUrl: "http://devices.example" });
    expect((await call("GET", "/v1/settings")).json().passkeys_at).toBeNull();
    const credential = new SoftwareAuthenticator(publicUrl).make({
      challenge: "",
      rp: { id: "devices.example", name: "" },
      user: { id: "", name: "", displayName: "" },
    });
    for (const answer of [
      await begin(),
      await robin.post(pathOf(robin), { name: "Mine", credential }),
      await call("POST", "/v1/passkeys/options"),
      await login({ ...credential, response: { clientDataJSON: "", authenticatorData: "", signature: "" } }),
    ])
      expect(outcomeOf(answer)).toBe("409 PASSKEYS_NOT_AVAILABLE");
  });
});

it("forgets challenges when they have expired", async () => {
  const { add, db, clock } = await signedIn();
  await add();
  const spent = () => db.selectFrom("spent_challenges").select("challenge").execute();
  await deleteSpentChallenges.run({ db, clock });
  expect(await spent()).toHaveLength(1);
  await clock.advance(CHALLENGE_MS);
  await deleteSpentChallenges.run({ db, clock });
  expect(await spent()).toEqual([]);
});
