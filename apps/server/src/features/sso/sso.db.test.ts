import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { refuseOnce } from "../../testing/refuse-once.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { deleteOldFlows } from "./sso.jobs.ts";
import { type Lie, startHostileProvider } from "./testing/hostile-provider.ts";
import { type Person, startOpenIdServer } from "./testing/openid-server.ts";

const publicUrl = "https://devices.example";
const REDIRECT = `${publicUrl}/signin/sso/oauth/oidc/`;
const robin: Person = {
  sub: "robin",
  email: "Robin@Example.com",
  email_verified: true,
  given_name: "Robin",
  family_name: "Reed",
};
const key = () => randomBytes(32).toString("base64url");

/** An installation with one provider, of the operator's own. */
async function installation(
  provider: { issuer: string; client: { id: string; secret: string } },
  domains: string[] = [],
) {
  const company = { ...provider, label: "Moss", domains };
  const test = await createTestApp({ publicUrl, sso: { company } });
  const { call } = test;
  const begin = (query: Record<string, string> = {}) =>
    call(
      "GET",
      `/v1/sso/oauth/login-url/?${new URLSearchParams({ provider: "oidc", redirect_uri: REDIRECT, ...query })}`,
    );
  const urlFor = async (query: Record<string, string> = {}) => (await begin(query)).json<{ url: string }>().url;
  const finish = (query: Record<string, string>) =>
    call("GET", `/v1/sso/oauth/callback/?${new URLSearchParams({ provider: "oidc", ...query })}`);
  const count = async (table: "users" | "sso_flows" | "identities" | "sessions") =>
    (await test.db.selectFrom(table).selectAll().execute()).length;
  return { ...test, begin, urlFor, finish, count };
}

async function withRealProvider(domains: string[] = []) {
  const server = await startOpenIdServer(REDIRECT);
  const test = await installation(server, domains);
  return {
    ...test,
    server,
    /** Signs in as a browser does. */
    async signIn(person: Person, query: Record<string, string> = {}) {
      const browser_key = key();
      const back = await server.visit(await test.urlFor({ browser_key, ...query }), person);
      return test.finish({ ...back, browser_key });
    },
  };
}

async function withHostileProvider(domains: string[] = []) {
  const server = await startHostileProvider();
  return { ...(await installation(server, domains)), server };
}

describe("GET /v1/sso/oauth/login-url/", () => {
  it("answers the provider's address, with PKCE, state and nonce, and keeps no state but its hash", async () => {
    const { urlFor, server, db } = await withRealProvider();
    const url = new URL(await urlFor());
    expect(url.origin).toBe(server.issuer);
    const query = Object.fromEntries(url.searchParams);
    const random = expect.stringMatching(/^[\w-]{43}$/) as string;
    expect(query).toEqual({
      client_id: "terrarium",
      redirect_uri: REDIRECT,
      response_type: "code",
      scope: "openid email profile",
      state: random,
      nonce: random,
      code_challenge: random,
      code_challenge_method: "S256",
    });
    const flows = JSON.stringify(await db.selectFrom("sso_flows").selectAll().execute());
    expect(flows).not.toContain(query["state"]);
    expect(flows).not.toContain(query["code_challenge"]);
  });

  it("does without an address to lead back to: it is our own", async () => {
    const { call } = await withRealProvider();
    const answer = await call("GET", "/v1/sso/oauth/login-url/?provider=oidc");
    expect(answer.json().url).toContain(encodeURIComponent(REDIRECT));
  });

  it.each(["google", "github-saas", "organization", "x"])("does not know the provider %s", async (provider) => {
    const { begin } = await withRealProvider();
    expect(outcomeOf(await begin({ provider }))).toBe("404 SSO_PROVIDER_NOT_FOUND");
  });

  it.each([
    "https://evil.example/signin/sso/oauth/oidc/",
    "https://devices.example.evil.example/signin/sso/oauth/oidc/",
    "http://devices.example/signin/sso/oauth/oidc/",
    "https://devices.example:8443/signin/sso/oauth/oidc/",
    "https://robin@devices.example/signin/sso/oauth/oidc/",
    "https://devices.example/signin/sso/oauth/google/",
    "https://devices.example/elsewhere",
    "https://devices.example/signin/sso/oauth/oidc/?next=1",
    "https://devices.example/signin/sso/oauth/oidc/#next",
  ])("leads back to no page but our own for the provider: %s", async (redirect_uri) => {
    const { begin, count } = await withRealProvider();
    expect(outcomeOf(await begin({ redirect_uri }))).toBe("400 invalid_request");
    expect(await count("sso_flows")).toBe(0);
  });

  it.each(["https://evil.example/", "//evil.example", "/.//evil.example", "\\\\evil.example", "launchpad"])(
    "goes on to no page but our own: %s",
    async (path) => {
      const { begin } = await withRealProvider();
      expect(outcomeOf(await begin({ route_to: path }))).toBe("400 invalid_request");
      expect(outcomeOf(await begin({ route_from: path }))).toBe("400 invalid_request");
    },
  );

  it("leads back to no name that was pointed at this machine", async () => {
    const server = await startOpenIdServer(REDIRECT);
    const { call } = await createTestApp({ sso: { company: { ...server, label: "Moss", domains: [] } } });
    const begin = (host: string) => {
      const redirect_uri = `http://${host}/signin/sso/oauth/oidc/`;
      const query = new URLSearchParams({ provider: "oidc", redirect_uri });
      return call("GET", `/v1/sso/oauth/login-url/?${query}`, { headers: { host } });
    };
    expect((await begin("localhost:8080")).statusCode).toBe(200);
    expect(outcomeOf(await begin("evil.example"))).toBe("400 invalid_request");
  });

  it("lets one client begin sixty times a minute", async () => {
    const { begin } = await withRealProvider();
    for (let times = 0; times < 60; times++) expect((await begin()).statusCode).toBe(200);
    expect(outcomeOf(await begin())).toBe("429 TOO_MANY_REQUESTS");
  });

  it("says when the provider does not answer", async () => {
    const { begin } = await installation({ issuer: "http://127.0.0.1:9", client: { id: "a", secret: "b" } });
    expect(outcomeOf(await begin())).toBe("503 SSO_PROVIDER_UNAVAILABLE");
  });
});

describe("GET /v1/sso/oauth/callback/, with a real provider", () => {
  it("creates an account for somebody new, and signs them in to it the next time", async () => {
    const { signIn, count, call, db } = await withRealProvider();
    const first = await signIn(robin, { route_to: "/recipes?page=2#official" });
    expect([first.statusCode, first.json()]).toMatchObject([
      200,
      {
        route_to: "/recipes?page=2#official",
        user: {
          email: "robin@example.com",
          first_name: "Robin",
          last_name: "Reed",
          organization: null,
          is_validated: true,
          tnc_accepted: false,
        },
      },
    ]);
    const { token, user } = first.json<{ token: string; user: { uuid: string } }>();
    const headers = { authorization: `Bearer ${token}` };
    expect((await call("GET", `/v1/users/${user.uuid}`, { headers })).statusCode).toBe(200);
    // By the subject, whatever the address has become.
    const again = await signIn({ ...robin, email: "robin@moved.example" });
    expect(again.json().user.uuid).toBe(user.uuid);
    expect([await count("users"), await count("identities"), await count("sso_flows")]).toEqual([1, 1, 0]);
    expect((await sql`SELECT FROM mails`.execute(db)).rows).toEqual([]);
  });

  it("knows the browser from then on, whoever signed in there before", async () => {
    const { urlFor, server, finish } = await withRealProvider();
    const signIn = async (more = {}) => {
      const answer = await finish({ ...(await server.visit(await urlFor(), robin)), ...more });
      return answer.json<{ browser_token: string }>().browser_token;
    };
    const browser_token = await signIn();
    expect(browser_token).toMatch(/^[\w-]{22}\.[\w-]{22}$/);
    expect(await signIn({ browser_token })).toBe(browser_token);
  });

  it("creates one account for two first sign-ins at the same moment", async () => {
    const { signIn, count, db } = await withRealProvider();
    await refuseOnce(db, "users", "users_email_key");
    expect(outcomeOf(await signIn(robin))).toBe("200");
    await refuseOnce(db, "identities", "identities_issuer_subject_key");
    expect(outcomeOf(await signIn({ ...robin, sub: "kim", email: "kim@example.com" }))).toBe("200");
    expect([await count("users"), await count("identities")]).toEqual([2, 2]);
  });

  it("is somebody else with another subject, also with an address that was somebody's", async () => {
    const { signIn } = await withRealProvider();
    await signIn(robin);
    expect(outcomeOf(await signIn({ ...robin, sub: "another" }))).toBe("409 SSO_ACCOUNT_EXISTS");
  });

  it("is somebody else with the same subject at another provider, and each has an address there", async () => {
    const { signIn, db, count } = await withRealProvider();
    await signIn(robin);
    await db.updateTable("identities").set({ issuer: "https://another.example" }).execute();
    for (const email of ["kim@example.com", "kim@moved.example"])
      expect(outcomeOf(await signIn({ ...robin, email }))).toBe("200");
    expect(await count("users")).toBe(2);
    const held = await db.selectFrom("identities").select("email").orderBy("email").execute();
    expect(held).toEqual([{ email: "kim@moved.example" }, { email: "robin@example.com" }]);
  });

  it("works for a program, which has no page to bind it to", async () => {
    const { urlFor, server, finish } = await withRealProvider();
    expect((await finish(await server.visit(await urlFor(), robin))).statusCode).toBe(200);
  });

  it("works once", async () => {
    const { urlFor, server, finish, count } = await withRealProvider();
    const back = await server.visit(await urlFor(), robin);
    expect(outcomeOf(await finish({ ...back, state: key() }))).toBe("400 SSO_STATE_INVALID");
    expect((await finish(back)).statusCode).toBe(200);
    expect(outcomeOf(await finish(back))).toBe("400 SSO_STATE_INVALID");
    // The same code with another state.
    const other = await server.visit(await urlFor(), robin);
    expect(outcomeOf(await finish({ ...back, state: other["state"] ?? "" }))).toBe("400 SSO_FAILED");
    expect(await count("sessions")).toBe(1);
  });

  it("works for ten minutes, and is then forgotten", async () => {
    const { urlFor, server, finish, clock, db, count } = await withRealProvider();
    const back = await server.visit(await urlFor(), robin);
    await clock.advance(10 * 60_000);
    expect(outcomeOf(await finish(back))).toBe("400 SSO_STATE_INVALID");
    const later = await server.visit(await urlFor(), robin);
    await deleteOldFlows.run({ db, clock });
    expect(await count("sso_flows")).toBe(1);
    expect((await finish(later)).statusCode).toBe(200);
  });

  it.each([
    ["another browser", { browser_key: key() }],
    ["a browser that began nothing", {}],
  ])("refuses %s, and the one that began can go on", async (_, mine) => {
    const { urlFor, server, finish } = await withRealProvider();
    const browser_key = key();
    const back = await server.visit(await urlFor({ browser_key }), robin);
    expect(outcomeOf(await finish({ ...back, ...mine }))).toBe("400 SSO_STATE_INVALID");
    expect((await finish({ ...back, browser_key })).statusCode).toBe(200);
  });

  it("refuses a page for what a program began", async () => {
    const { urlFor, server, finish } = await withRealProvider();
    const back = await server.visit(await urlFor(), robin);
    expect(outcomeOf(await finish({ ...back, browser_key: key() }))).toBe("400 SSO_STATE_INVALID");
  });

  it("refuses another provider than the one at which it was begun", async () => {
    const { urlFor, server, finish } = await withRealProvider();
    const back = await server.visit(await urlFor(), robin);
    expect(outcomeOf(await finish({ ...back, provider: "google" }))).toBe("400 SSO_STATE_INVALID");
  });

  it("refuses the pages of others", async () => {
    const { call } = await withRealProvider();
    const headers = { origin: "https://evil.example" };
    for (const path of ["login-url/?provider=oidc", "callback/?provider=oidc&state=x"])
      expect(outcomeOf(await call("GET", `/v1/sso/oauth/${path}`, { headers }))).toBe("403 ORIGIN_NOT_ALLOWED");
  });

  it("refuses an address that the provider has not verified", async () => {
    const { signIn, count } = await withRealProvider(["example.com"]);
    expect(outcomeOf(await signIn({ ...robin, email_verified: false }))).toBe("403 SSO_EMAIL_NOT_VERIFIED");
    expect(await count("users")).toBe(0);
  });

  it("refuses a new account with a disposable address, and keeps nothing of it", async () => {
    const { signIn, count } = await withRealProvider();
    expect(outcomeOf(await signIn({ ...robin, email: "robin@mailinator.com" }))).toBe("400 DISPOSABLE_EMAIL");
    expect([await count("users"), await count("identities")]).toEqual([0, 0]);
  });

  it("takes over no account by its address, and says what to do", async () => {
    const { signIn, as, count } = await withRealProvider();
    await as({ fields: { email: "robin@example.com" } });
    expect(outcomeOf(await signIn(robin))).toBe("409 SSO_ACCOUNT_EXISTS");
    expect(await count("identities")).toBe(0);
  });

  it("signs in to an account whose address the provider hands out, and tells its owner", async () => {
    const { signIn, as, db } = await withRealProvider(["example.com"]);
    const { user } = await as({ fields: { email: "robin@example.com" } });
    expect((await signIn(robin)).json().user.uuid).toBe(user.uuid);
    await signIn(robin);
    const { rows } = await sql`SELECT to_address, subject FROM mails`.execute(db);
    expect(rows).toEqual([{ to_address: "robin@example.com", subject: "You can now sign in to Terrarium with Moss" }]);
    expect(outcomeOf(await signIn({ ...robin, sub: "kim", email: "kim@example.com.evil.example" }))).toBe("200");
  });

  it("gives an account that nobody confirmed to whoever has the address, without its password", async () => {
    const { signIn, as, db, call } = await withRealProvider();
    const { user } = await as({ fields: { email: "robin@example.com" } });
    await db.updateTable("users").set({ is_validated: false }).where("uuid", "=", user.uuid).execute();
    expect((await signIn(robin)).json().user.uuid).toBe(user.uuid);
    const body = { email: user.email, password: user.password };
    expect((await call("POST", "/v1/users/login", { body })).statusCode).toBe(401);
  });

  it("lets nobody in who is disabled", async () => {
    const { signIn, db } = await withRealProvider();
    await signIn(robin);
    await db.updateTable("users").set({ is_enabled: false }).execute();
    expect(outcomeOf(await signIn(robin))).toBe("403 USER_NOT_ENABLED");
  });

  it("says that it was cancelled, and where to go back to", async () => {
    const { urlFor, finish, server } = await withRealProvider();
    const state = new URL(await urlFor({ route_from: "/join/x" })).searchParams.get("state") ?? "";
    const answer = await finish({ state, error: "access_denied", iss: server.issuer });
    expect([outcomeOf(answer), answer.json().details]).toEqual(["400 SSO_CANCELLED", { route_from: "/join/x" }]);
  });
});

describe("signing in for an invitation", () => {
  async function invited(email: string) {
    const test = await withRealProvider();
    const manager = await test.as({ role: "manager" });
    await manager.post("/v1/accounts/invites", { emails: [email] });
    const { rows } = await sql<{ text: string }>`SELECT text FROM mails`.execute(test.db);
    return { ...test, invitation_token: /\/join\/([\w-]{43})/.exec(rows[0]?.text ?? "")?.[1] ?? "" };
  }

  it.each([
    ["allows the provider", { allowed_sign_ins: ["oidc"] }, "200"],
    ["allows another way", { allowed_sign_ins: ["google"] }, "403 SIGN_IN_AGAIN"],
    [
      "allows the provider, and requires a second factor",
      { allowed_sign_ins: ["oidc"], requires_second_factor: true },
      "403 SECOND_FACTOR_SETUP_REQUIRED",
    ],
  ])("is the only one that it takes to join an organization that %s", async (_, rules, outcome) => {
    const { signIn, invitation_token, db, call } = await invited("robin@example.com");
    await db.updateTable("organizations").set(rules).execute();
    const { token } = (await signIn(robin, { invitation_token })).json<{ token: string }>();
    const headers = { authorization: `Bearer ${token}` };
    const joined = await call("POST", `/v2/accounts/invites/${invitation_token}`, {
      body: { tnc_accepted: true },
      headers,
    });
    expect(outcomeOf(joined)).toBe(outcome);
    const isIn = outcome === "200";
    expect((await call("GET", "/v1/sessions", { headers })).statusCode).toBe(isIn ? 200 : 401);
  });

  it("lets in whoever was invited", async () => {
    const { signIn, invitation_token } = await invited("robin@example.com");
    expect(outcomeOf(await signIn(robin, { invitation_token }))).toBe("200");
  });

  it("lets in somebody with a disposable address, as whoever invites answers for them", async () => {
    const { signIn, invitation_token } = await invited("robin@mailinator.com");
    expect(outcomeOf(await signIn({ ...robin, email: "robin@mailinator.com" }, { invitation_token }))).toBe("200");
  });

  it("refuses another address, and creates no account for it", async () => {
    const { signIn, invitation_token, count, as } = await invited("kim@example.com");
    const before = await count("users");
    expect(outcomeOf(await signIn(robin, { invitation_token }))).toBe("403 INVITATION_WRONG_ACCOUNT");
    expect(await count("users")).toBe(before);
    // Also where an account has it: that it could be linked is not the point.
    await as({ fields: { email: "robin@example.com" } });
    expect(outcomeOf(await signIn(robin, { invitation_token }))).toBe("403 INVITATION_WRONG_ACCOUNT");
  });

  it("refuses an account that has another address here, whatever its address is there", async () => {
    const { signIn, invitation_token, count } = await invited("kim@example.com");
    await signIn(robin);
    const before = await count("sessions");
    const there = { ...robin, email: "kim@example.com" };
    expect(outcomeOf(await signIn(there, { invitation_token }))).toBe("403 INVITATION_WRONG_ACCOUNT");
    expect(await count("sessions")).toBe(before);
  });

  it("begins with no link but one that was mailed", async () => {
    const { begin } = await withRealProvider();
    expect(outcomeOf(await begin({ invitation_token: "x".repeat(43) }))).toBe("410 LINK_EXPIRED");
  });
});

describe("GET /v1/sso/oauth/callback/, with a hostile provider", () => {
  const attempt = async (lie: Lie, query: Record<string, string> = {}) => {
    const test = await withHostileProvider();
    test.server.lies(lie);
    const outcome = outcomeOf(await test.finish(test.server.leadBack(await test.urlFor(), query)));
    return [outcome, await test.count("users"), await test.count("sessions")];
  };
  const past = Math.floor(Date.now() / 1000) - 3600;

  it("believes an honest answer", async () => {
    expect(await attempt({})).toEqual(["200", 1, 1]);
  });

  it.each<[string, Lie]>([
    ["another nonce", { claims: { nonce: "another" } }],
    ["no nonce", { claims: { nonce: undefined } }],
    ["another issuer", { claims: { iss: "https://accounts.google.com" } }],
    ["another audience", { claims: { aud: "another" } }],
    ["an end in the past", { claims: { exp: past, iat: past - 60 } }],
    ["no signature", { signature: "none" }],
    [
      "no signature, which the provider says it uses",
      { signature: "none", metadata: { id_token_signing_alg_values_supported: ["none"] } },
    ],
    ["the signature of another", { signature: "of another" }],
    ["no subject", { claims: { sub: "" } }],
    ["no token", { withoutToken: true }],
  ])("refuses a token with %s", async (_, lie) => {
    expect(await attempt(lie)).toEqual(["400 SSO_FAILED", 0, 0]);
  });

  it.each<[string, Lie, string]>([
    ["not verified", { claims: { email_verified: false } }, "403 SSO_EMAIL_NOT_VERIFIED"],
    ["not said to be verified", { claims: { email_verified: undefined } }, "403 SSO_EMAIL_NOT_VERIFIED"],
    ["none", { claims: { email: undefined } }, "403 SSO_EMAIL_NOT_VERIFIED"],
    ["no address", { claims: { email: "robin" } }, "403 SSO_EMAIL_NOT_VERIFIED"],
  ])("refuses an address that is %s", async (_, lie, outcome) => {
    expect(await attempt(lie)).toEqual([outcome, 0, 0]);
  });

  it.each([null, 0, 1, "maybe", {}])("does not take an address to be verified by %j", async (email_verified) => {
    const { server, urlFor, finish } = await withHostileProvider(["example.com"]);
    server.lies({ claims: { email_verified } });
    expect(outcomeOf(await finish(server.leadBack(await urlFor())))).toBe("403 SSO_EMAIL_NOT_VERIFIED");
  });

  it("refuses to be led back by another provider, and sends it no code (mix-up)", async () => {
    expect(await attempt({}, { iss: "https://accounts.google.com" })).toEqual(["400 SSO_FAILED", 0, 0]);
    const { server, urlFor, finish } = await withHostileProvider();
    const { iss: _, ...withoutIssuer } = server.leadBack(await urlFor());
    expect(outcomeOf(await finish(withoutIssuer))).toBe("400 SSO_FAILED");
    expect(server.asked).not.toContain("/token");
  });
});
