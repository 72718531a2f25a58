import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aCustom, aUser } from "../../testing/factories.ts";
import { anOperator } from "../../testing/operator.ts";
import { setUpRequiredTotp } from "../../testing/second-factor.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { aTenant } from "../../testing/tenant.ts";
import { requireSecondFactor } from "../second-factor/require.ts";
import { startOpenIdServer } from "../sso/testing/openid-server.ts";
import { removeSecondFactors } from "../second-factor/for-operator.ts";
import { disableUser, setRole } from "../users/manage-user.ts";
import { addOperator, listOperators } from "./operators.ts";

const origin = "https://devices.example";
const email = "ines@terrarium.test";
const PASSWORD = "a better horse 2";

describe("the account of an operator", () => {
  it("is made by the tool, and signs in with a password from the link and a second factor", async () => {
    const { call, operator, clock, db, audited } = await createTestApp({ publicUrl: origin });
    const link = await addOperator(operator, { email: " Ines@terrarium.test", origin });
    expect(link).toMatch(/^https:\/\/devices\.example\/password-reset\/new\/[\w-]{43}$/);
    expect((await audited())[0]).toMatchObject({ action: "user.create", details: { role: "operator" } });
    const reset_key = link.split("/").at(-1);
    const reset = await call("PUT", "/v1/users/password/reset", { body: { reset_key, new_password: PASSWORD } });
    expect(reset.statusCode).toBe(204);
    const login = await call("POST", "/v1/users/login", { body: { email, password: PASSWORD } });
    expect(outcomeOf(login)).toBe("403 SECOND_FACTOR_SETUP_REQUIRED");
    const { token } = await setUpRequiredTotp({ call, clock }, { email, password: PASSWORD });
    const headers = { authorization: `Bearer ${token}` };
    expect((await call("GET", "/v1/operator/overview", { headers })).statusCode).toBe(200);
    expect(await listOperators(db)).toMatchObject([{ email, enabled: true, password: true, second_factor: true }]);
  });

  it("gets another link until it has a password", async () => {
    const { call, operator } = await createTestApp();
    const first = await addOperator(operator, { email, origin });
    const link = await addOperator(operator, { email, origin });
    expect(link).not.toBe(first);
    await call("PUT", "/v1/users/password/reset", {
      body: { reset_key: link.split("/").at(-1), new_password: PASSWORD },
    });
    await expect(addOperator(operator, { email, origin })).rejects.toThrow("is an operator already");
  });

  it("is not made of a customer's, nor of what is no address", async () => {
    const { operator, as, db } = await createTestApp();
    const { user } = await as();
    const ofCustomer = "has an account of a customer";
    await expect(addOperator(operator, { email: user.email, origin })).rejects.toThrow(ofCustomer);
    // Signs in through a provider alone.
    await db.updateTable("users").set({ password_hash: null }).where("uuid", "=", user.uuid).execute();
    await expect(addOperator(operator, { email: user.email, origin })).rejects.toThrow(ofCustomer);
    expect(await listOperators(db)).toEqual([]);
    await expect(addOperator(operator, { email: "ines", origin })).rejects.toThrow("email");
  });

  it("is never a customer's, and a customer's never one, whatever writes to the database", async () => {
    const { db, as } = await createTestApp();
    const { user } = await as();
    const ines = await aUser(db, { role: "guest", fields: { is_operator: true } });
    const set = (what: ReturnType<typeof sql>, uuid: string) =>
      sql`UPDATE users SET ${what} WHERE uuid = ${uuid}`.execute(db);
    await expect(set(sql`is_operator = true`, user.uuid)).rejects.toThrow("for good");
    await expect(set(sql`is_operator = true, organization_uuid = NULL`, user.uuid)).rejects.toThrow("for good");
    await expect(set(sql`is_operator = false`, ines.uuid)).rejects.toThrow("for good");
    await expect(set(sql`organization_uuid = ${user.organization_uuid}`, ines.uuid)).rejects.toThrow(
      "users_operator_is_no_customer",
    );
  });

  it("keeps a second factor: the last one cannot be removed, and without one nobody is signed in", async () => {
    const test = await createTestApp({ publicUrl: origin });
    const { call, operator: by } = test;
    const ines = await anOperator(test);
    const { uuid, password } = ines.user;
    expect(outcomeOf(await ines.delete(`/v1/users/${uuid}/second-factor/totp`, { password }))).toBe(
      "409 LAST_SECOND_FACTOR",
    );
    expect(await removeSecondFactors(by, ines.user.email, origin)).toBe(true);
    expect((await ines.get("/v1/operator/overview")).statusCode).toBe(401);
    const login = await call("POST", "/v1/users/login", { body: { email: ines.user.email, password } });
    expect(outcomeOf(login)).toBe("403 SECOND_FACTOR_SETUP_REQUIRED");
  });

  it("is shut out at once when it is disabled, and has no role in an organization", async () => {
    const test = await createTestApp();
    const ines = await anOperator(test);
    await expect(setRole(test.operator, ines.user.email, "manager")).rejects.toThrow("guest");
    await disableUser(test.operator, ines.user.email);
    expect((await ines.get("/v1/operator/overview")).statusCode).toBe(401);
  });

  it("is told to nobody but itself", async () => {
    const test = await createTestApp();
    const ines = await anOperator(test);
    const robin = await test.as({ role: "manager" });
    const me = (await ines.get(`/v1/users/${ines.user.uuid}`)).json();
    expect(me).toMatchObject({ is_operator: true, organization: null, is_organization_manager: false });
    expect((await robin.get(`/v1/users/${robin.user.uuid}`)).json()).not.toHaveProperty("is_operator");
    expect((await robin.get(`/v1/users/${ines.user.uuid}`)).statusCode).toBe(404);
    const found = await robin.get(`/v2/users?users=${ines.user.email}`);
    expect(found.json().results).toEqual([]);
  });
});

describe("an operator", () => {
  it("has nothing of a customer's: no device, no recipe, no API token, nothing shared", async () => {
    const test = await createTestApp();
    const ines = await anOperator(test);
    const tenant = await aTenant(test);
    const recipe = await aCustom(test.db, "recipes", tenant.owner.user);
    const device = (await tenant.owner.start()).json<{ uuid: string }>().uuid;
    for (const [method, path] of [
      ["GET", "/v2/instances"],
      ["GET", `/v1/instances/${device}`],
      ["GET", "/v3/recipes"],
      ["POST", `/v1/recipes/${recipe}/start-disposable`],
      ["POST", "/v1/instances/access-token"],
      ["POST", "/v1/api-tokens"],
      ["GET", "/v1/audit"],
      ["POST", "/v1/accounts/invites"],
    ] as const) {
      const reply = await test.call(method, path, { headers: ines.headers, ...(method === "POST" && { body: {} }) });
      expect([path, outcomeOf(reply)]).toEqual([path, "403 FORBIDDEN"]);
    }
    for (const key of [ines.user.email, ines.user.uuid]) {
      const shared = await tenant.owner.post(`/v1/recipes/${recipe}/share`, { recipients: { users: [key] } });
      expect([key, outcomeOf(shared)]).toEqual([key, "404 RECIPIENTS_NOT_FOUND"]);
    }
  });

  it("joins no organization that invites them", async () => {
    const test = await createTestApp();
    const ines = await anOperator(test);
    const manager = await test.as({ role: "manager" });
    await manager.post("/v1/accounts/invites", { emails: [ines.user.email] });
    const { rows } = await sql<{
      text: string;
    }>`SELECT text FROM mails WHERE to_address = ${ines.user.email} ORDER BY created_at DESC`.execute(test.db);
    const key = rows.map(({ text }) => /\/join\/([\w-]{43})/.exec(text)?.[1]).find(Boolean);
    expect(key).toBeDefined();
    const path = `/v2/accounts/invites/${key}`;
    const byPassword = await test.call("POST", path, { body: { password: ines.user.password, tnc_accepted: true } });
    const signedIn = await test.call("POST", path, { body: { tnc_accepted: true }, headers: ines.headers });
    expect([outcomeOf(byPassword), outcomeOf(signedIn)]).toEqual(["409 MEMBER_ELSEWHERE", "409 MEMBER_ELSEWHERE"]);
    expect((await ines.get("/v1/operator/overview")).statusCode).toBe(200);
  });

  it("signs in through no provider, not even one that decides who has the address", async () => {
    const redirect_uri = `${origin}/signin/sso/oauth/oidc/`;
    const server = await startOpenIdServer(redirect_uri);
    const company = { ...server, label: "Moss", domains: ["fernworks.test"] };
    const test = await createTestApp({ publicUrl: origin, sso: { company } });
    const ines = await anOperator(test);
    const { email } = ines.user;
    const there = { sub: "ines", email, email_verified: true };
    const signIn = async () => {
      const query = new URLSearchParams({ provider: "oidc", redirect_uri });
      const { url } = (await test.call("GET", `/v1/sso/oauth/login-url/?${query}`)).json<{ url: string }>();
      const back = new URLSearchParams({ provider: "oidc", ...(await server.visit(url, there)) });
      return outcomeOf(await test.call("GET", `/v1/sso/oauth/callback/?${back}`));
    };
    expect(await signIn()).toBe("403 FORBIDDEN");
    expect(await test.db.selectFrom("identities").select("uuid").execute()).toEqual([]);
    // Whatever has linked it.
    const now = new Date(test.clock.now());
    const named = { provider: "oidc", label: "Moss", email, created_at: now, last_used_at: now };
    await test.db
      .insertInto("identities")
      .values({ uuid: randomUUID(), user_uuid: ines.user.uuid, issuer: server.issuer, subject: "ines", ...named })
      .execute();
    expect(await signIn()).toBe("403 SIGN_IN_NOT_ALLOWED");
  });

  it("is not freed of the second factor by the rule of an organization", async () => {
    const test = await createTestApp({ publicUrl: origin });
    const { user } = await test.as({ role: "manager" });
    const rule = { organization: user.organization_uuid ?? "", is_required: false };
    await requireSecondFactor({ ...test.operator, pagesAt: () => origin }, rule, test.operator.by);
    const ines = await aUser(test.db, { role: "guest", fields: { is_operator: true } });
    const login = await test.call("POST", "/v1/users/login", { body: { email: ines.email, password: ines.password } });
    expect(outcomeOf(login)).toBe("403 SECOND_FACTOR_SETUP_REQUIRED");
  });
});

describe("a route for operators", () => {
  it("is not there for an API token, not even one that an operator had", async () => {
    const test = await createTestApp();
    const robin = await test.as({ role: "manager" });
    const token = (await robin.post("/v1/api-tokens", { description: "ci", scope: "admin" })).json<{ token: string }>();
    const ines = await anOperator(test);
    const call = () => test.call("GET", "/v1/operator/overview", { headers: { "x-api-token": token.token } });
    expect(outcomeOf(await call())).toBe("404 ROUTE_NOT_FOUND");
    await sql`UPDATE api_tokens SET user_uuid = ${ines.user.uuid}`.execute(test.db);
    expect(outcomeOf(await call())).toBe("404 ROUTE_NOT_FOUND");
  });

  it("answers a customer as one that does not exist, which is noted", async () => {
    const test = await createTestApp();
    const robin = await test.as({ role: "manager" });
    const bodyOf = async (path: string) => {
      const { request_id: _, ...body } = (await robin.get(path)).json<Record<string, unknown>>();
      return body;
    };
    expect(await bodyOf("/v1/operator/overview")).toEqual(await bodyOf("/v1/operator/nothing"));
    await test.app.stop();
    const refused = (await test.audited()).filter(({ action }) => action === "route.use");
    expect(refused).toMatchObject([{ outcome: "refused", details: { route: "GET /v1/operator/overview" } }]);
  });
});
