import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { refuseOnce } from "../../testing/refuse-once.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { startOpenIdServer } from "./testing/openid-server.ts";

const publicUrl = "https://devices.example";
const redirect_uri = `${publicUrl}/signin/sso/oauth/oidc/`;
const browser_key = "k".repeat(43);
const there = { sub: "robin", email: "robin@elsewhere.example", email_verified: true };

/** Somebody signed in, at an installation with one provider. */
async function signedIn() {
  const server = await startOpenIdServer(redirect_uri);
  const test = await createTestApp({ publicUrl, sso: { company: { ...server, label: "Moss", domains: [] } } });
  const robin = await test.as();
  type Person = typeof robin;
  const begin = async (person: Person, password = person.user.password) =>
    person.post("/v1/sso/oauth/link-url", { provider: "oidc", redirect_uri, browser_key, password });
  const identitiesOf = async (person: Person) =>
    (await person.get(`/v1/users/${person.user.uuid}/identities`)).json<{
      identities: { uuid: string }[];
      has_password: boolean;
    }>();
  return {
    ...test,
    robin,
    server,
    begin,
    identitiesOf,
    /** What leads back from the provider. */
    back: async (person: Person, who = there) => ({
      provider: "oidc",
      browser_key,
      ...(await server.visit((await begin(person)).json<{ url: string }>().url, who)),
    }),
    link: async (person: Person, body: object) => person.post("/v1/sso/oauth/link", body),
    unlink: async (person: Person, password = person.user.password) => {
      const [first] = (await identitiesOf(person)).identities;
      return person.delete(`/v1/users/${person.user.uuid}/identities/${first?.uuid}`, { password });
    },
    /** As of somebody who has only ever signed in with a provider. */
    forgetPassword: async (person: Person) => {
      await test.db.updateTable("users").where("uuid", "=", person.user.uuid).set({ password_hash: null }).execute();
    },
    mails: async () => {
      const { rows } = await sql<{ to_address: string; subject: string; text: string }>`
        SELECT to_address, subject, text FROM mails ORDER BY created_at`.execute(test.db);
      return rows;
    },
    /** Signs in with the provider; returns the reply. */
    async signIn() {
      const query = new URLSearchParams({ provider: "oidc", redirect_uri });
      const { url } = (await test.call("GET", `/v1/sso/oauth/login-url/?${query}`)).json<{ url: string }>();
      const returned = new URLSearchParams({ provider: "oidc", ...(await server.visit(url, there)) });
      return test.call("GET", `/v1/sso/oauth/callback/?${returned}`);
    },
  };
}

describe("linking a provider", () => {
  it("lets its owner sign in with it, whatever the address is there, and tells them", async () => {
    const { robin, link, back, identitiesOf, signIn, mails, audited } = await signedIn();
    expect((await link(robin, await back(robin))).statusCode).toBe(204);
    expect(await identitiesOf(robin)).toMatchObject({
      identities: [{ provider: "oidc", label: "Moss", email: there.email }],
      has_password: true,
    });
    expect((await signIn()).json().user.uuid).toBe(robin.user.uuid);
    expect(await mails()).toMatchObject([
      { to_address: robin.user.email, subject: "You can now sign in to Terrarium with Moss" },
    ]);
    expect((await audited()).map(({ action }) => action)).toContain("identity.link");
  });

  it("takes the password, or a sign-in of the last ten minutes without one, and nothing begins before", async () => {
    const { robin, begin, forgetPassword, db, clock } = await signedIn();
    expect(outcomeOf(await begin(robin, "wrong horse 1"))).toBe("403 WRONG_PASSWORD");
    await forgetPassword(robin);
    await clock.advance(10 * 60_000 + 1);
    expect(outcomeOf(await begin(robin))).toBe("403 SIGN_IN_AGAIN");
    expect(await db.selectFrom("sso_flows").selectAll().execute()).toEqual([]);
  });

  it("is named in the mail about a new password, so that its owner notices one that a stranger has linked", async () => {
    const { robin, link, back, unlink, mails } = await signedIn();
    const changeTo = async (old_password: string, new_password: string) => {
      expect((await robin.put("/v1/users/password", { old_password, new_password })).statusCode).toBe(204);
      return (await mails()).at(-1)?.text;
    };
    await link(robin, await back(robin));
    const text = await changeTo(robin.user.password, "a better horse 2");
    expect(text).toContain("with Moss as robin@elsewhere.example.");
    expect(text).toContain("https://devices.example/profile");
    expect((await unlink(robin, "a better horse 2")).statusCode).toBe(204);
    expect(await changeTo("a better horse 2", "a third horse 3")).not.toContain("signed in to with");
  });

  it("takes no account of the provider from somebody else", async () => {
    const { robin, link, back, identitiesOf, signIn } = await signedIn();
    await signIn();
    expect(outcomeOf(await link(robin, await back(robin)))).toBe("409 IDENTITY_IN_USE");
    expect((await identitiesOf(robin)).identities).toEqual([]);
  });

  it("links it with one of two people at the same moment", async () => {
    const { robin, link, back, db } = await signedIn();
    await refuseOnce(db, "identities", "identities_issuer_subject_key");
    expect(outcomeOf(await link(robin, await back(robin)))).toBe("409 IDENTITY_IN_USE");
  });

  it("links once, however often it is tried", async () => {
    const { robin, link, back, identitiesOf, mails } = await signedIn();
    for (let times = 0; times < 2; times++) expect((await link(robin, await back(robin))).statusCode).toBe(204);
    expect((await identitiesOf(robin)).identities).toHaveLength(1);
    expect(await mails()).toHaveLength(1);
  });

  it("is finished by whoever began it", async () => {
    const { robin, as, link, back, call, identitiesOf } = await signedIn();
    const kim = await as();
    const returned = await back(robin);
    expect(outcomeOf(await link(kim, returned))).toBe("400 SSO_STATE_INVALID");
    // What links an account signs nobody in.
    const query = new URLSearchParams(returned);
    expect(outcomeOf(await call("GET", `/v1/sso/oauth/callback/?${query}`))).toBe("400 SSO_STATE_INVALID");
    expect((await link(robin, returned)).statusCode).toBe(204);
    expect((await identitiesOf(kim)).identities).toEqual([]);
  });

  it("links no account that was begun to sign in with", async () => {
    const { robin, server, call, link } = await signedIn();
    const query = new URLSearchParams({ provider: "oidc", redirect_uri, browser_key });
    const { url } = (await call("GET", `/v1/sso/oauth/login-url/?${query}`)).json<{ url: string }>();
    const returned = { provider: "oidc", browser_key, ...(await server.visit(url, there)) };
    expect(outcomeOf(await link(robin, returned))).toBe("400 SSO_STATE_INVALID");
  });

  it("wants an address that the provider has verified", async () => {
    const { robin, link, back } = await signedIn();
    const returned = await back(robin, { ...there, email_verified: false });
    expect(outcomeOf(await link(robin, returned))).toBe("403 SSO_EMAIL_NOT_VERIFIED");
  });

  it("is not for programs: an API token neither links nor unlinks", async () => {
    const { robin, call, link, back, identitiesOf } = await signedIn();
    const returned = await back(robin);
    const made = await robin.post("/v1/api-tokens", { description: "ci", scope: "admin" });
    const headers = { "x-api-token": made.json<{ token: string }>().token };
    const { password } = robin.user;
    const body = { provider: "oidc", redirect_uri, browser_key, password };
    expect(outcomeOf(await call("POST", "/v1/sso/oauth/link-url", { headers, body }))).toBe("403 FORBIDDEN");
    expect(outcomeOf(await call("POST", "/v1/sso/oauth/link", { headers, body: returned }))).toBe("403 FORBIDDEN");
    await link(robin, await back(robin));
    const [identity] = (await identitiesOf(robin)).identities;
    const path = `/v1/users/${robin.user.uuid}/identities/${identity?.uuid}`;
    expect(outcomeOf(await call("DELETE", path, { headers, body: { password } }))).toBe("403 FORBIDDEN");
  });
});

describe("unlinking a provider", () => {
  it("ends signing in with it, and tells the owner; sessions go on", async () => {
    const { robin, link, back, unlink, identitiesOf, signIn, mails, audited } = await signedIn();
    await link(robin, await back(robin));
    expect((await unlink(robin)).statusCode).toBe(204);
    expect((await identitiesOf(robin)).identities).toEqual([]);
    expect((await mails()).at(-1)?.subject).toBe("Moss no longer signs you in to Terrarium");
    expect((await signIn()).json().user.uuid).not.toBe(robin.user.uuid);
    expect((await audited()).map(({ action }) => action)).toContain("identity.unlink");
  });

  it("takes the password", async () => {
    const { robin, link, back, unlink, identitiesOf } = await signedIn();
    await link(robin, await back(robin));
    expect(outcomeOf(await unlink(robin, "wrong horse 1"))).toBe("403 WRONG_PASSWORD");
    expect((await identitiesOf(robin)).identities).toHaveLength(1);
  });

  it("leaves the last one of an account without a password: it might be the last way of signing in", async () => {
    const { robin, link, back, unlink, identitiesOf, forgetPassword } = await signedIn();
    await forgetPassword(robin);
    await link(robin, await back(robin));
    await link(robin, await back(robin, { ...there, sub: "robin's other" }));
    expect((await unlink(robin)).statusCode).toBe(204);
    expect(outcomeOf(await unlink(robin))).toBe("409 NO_PASSWORD");
    expect((await identitiesOf(robin)).identities).toHaveLength(1);
  });

  it("leaves the last one that works: a provider that is not set up any more signs nobody in", async () => {
    const { robin, link, back, identitiesOf, forgetPassword, db } = await signedIn();
    await forgetPassword(robin);
    await link(robin, await back(robin));
    await link(robin, await back(robin, { ...there, sub: "robin's other" }));
    const [first, other] = (await identitiesOf(robin)).identities.map(({ uuid }) => uuid);
    await db.updateTable("identities").set({ provider: "google" }).where("uuid", "=", other!).execute();
    const unlink = async (which = "") =>
      outcomeOf(await robin.delete(`/v1/users/${robin.user.uuid}/identities/${which}`, {}));
    expect(await unlink(first)).toBe("409 NO_PASSWORD");
    expect(await unlink(other)).toBe("204");
  });

  it("takes no password that is replaced at that moment", async () => {
    const { robin, link, back, unlink, identitiesOf, db } = await signedIn();
    await link(robin, await back(robin));
    let unlinking: ReturnType<typeof unlink> | undefined;
    await db.transaction().execute(async (trx) => {
      const row = trx.updateTable("users").set({ password_hash: "another" }).where("uuid", "=", robin.user.uuid);
      await row.execute();
      unlinking = unlink(robin);
      await Promise.race([unlinking, untilBlocked(db)]);
    });
    expect(unlinking && outcomeOf(await unlinking)).toBe("403 WRONG_PASSWORD");
    expect((await identitiesOf(robin)).identities).toHaveLength(1);
  });

  it("takes a sign-in of the last ten minutes where the account has no password", async () => {
    const { robin, link, back, unlink, identitiesOf, forgetPassword, clock } = await signedIn();
    await link(robin, await back(robin));
    await link(robin, await back(robin, { ...there, sub: "robin's other" }));
    await forgetPassword(robin);
    await clock.advance(10 * 60_000 + 1);
    expect(outcomeOf(await unlink(robin))).toBe("403 SIGN_IN_AGAIN");
    expect((await identitiesOf(robin)).identities).toHaveLength(2);
  });

  it("does not know the links of others", async () => {
    const { robin, as, link, back, identitiesOf } = await signedIn();
    await link(robin, await back(robin));
    const [identity] = (await identitiesOf(robin)).identities;
    const manager = await as({ role: "manager", organization: robin.user.organization_uuid ?? "" });
    const own = { password: manager.user.password };
    expect(outcomeOf(await manager.get(`/v1/users/${robin.user.uuid}/identities`))).toBe("403 FORBIDDEN");
    const theirs = await manager.delete(`/v1/users/${robin.user.uuid}/identities/${identity?.uuid}`, own);
    expect(outcomeOf(theirs)).toBe("403 FORBIDDEN");
    const asOwn = await manager.delete(`/v1/users/${manager.user.uuid}/identities/${identity?.uuid}`, own);
    expect(outcomeOf(asOwn)).toBe("404 IDENTITY_NOT_FOUND");
    expect((await identitiesOf(robin)).identities).toHaveLength(1);
  });
});
