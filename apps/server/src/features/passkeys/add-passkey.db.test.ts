import { limits } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../testing/sharing.ts";
import { passwordProofs } from "../users/prove-password.ts";
import { CHALLENGE_MS } from "./challenges.ts";
import { listPasskeys } from "./passkeys.store.ts";
import { publicUrl, signedIn } from "./testing/signed-in.ts";
import { SoftwareAuthenticator } from "./testing/software-authenticator.ts";

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
