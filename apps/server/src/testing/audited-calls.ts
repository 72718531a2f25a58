import type { LiveSession, Puzzle } from "@terrarium/contract";
import type { LightMyRequestResponse } from "fastify";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { mailSignUpLink } from "../features/accounts/accounts.jobs.ts";
import { aSubscription, makePayable } from "../features/billing/testing/plans.ts";
import { solvePuzzle } from "../features/bot-check/testing/solve-puzzle.ts";
import { moveInstance } from "../features/instances/move-instance.ts";
import { anInvoice } from "../features/invoices/testing/an-invoice.ts";
import { SoftwareAuthenticator } from "../features/passkeys/testing/software-authenticator.ts";
import { mailPasswordLink } from "../features/passwords/passwords.jobs.ts";
import { requireSecondFactor } from "../features/second-factor/require.ts";
import { setOrganizationProvider } from "../features/sso/organization-provider.ts";
import { startOpenIdServer } from "../features/sso/testing/openid-server.ts";
import { JobWorker } from "../platform/jobs/worker.ts";
import { createLog } from "../platform/log.ts";
import { aForm } from "./a-form.ts";
import { createTestApp } from "./app.ts";
import { aCustom, aGroup, anOrganization } from "./factories.ts";
import { aFailedJob, aFoundDevice, anOperator, foundDevice } from "./operator.ts";
import { decideAsked, premiumForm, trialForm } from "./plan-requests.ts";
import { anApp, setUpTotp } from "./second-factor.ts";
import { aTenant } from "./tenant.ts";

const publicUrl = "https://devices.example";
const redirect_uri = `${publicUrl}/signin/sso/oauth/oidc/`;
const browser_key = "k".repeat(43);
const there = { sub: "robin", email: "robin@elsewhere.example", email_verified: true };
const PASSWORD = "a better horse 2";

/** An installation with everything that its routes need, and an organization in it. */
export async function anAuditedApp() {
  const server = await startOpenIdServer(redirect_uri);
  const test = await createTestApp({
    publicUrl,
    sso: { company: { ...server, label: "Moss", domains: [] } },
    support: { email: "help@fern.test", webhook: undefined },
  });
  const { db, clock, audit } = test;
  const jobs = [mailSignUpLink, mailPasswordLink];
  const worker = new JobWorker({ db, clock, log: createLog("silent", "test"), jobs, deps: { db, clock, audit } });
  return {
    ...test,
    tenant: await aTenant(test),
    server,
    runJobs: () => worker.runDue(),
    /** What a pattern finds in the mails to an address. */
    async mailed(to: string, key: RegExp): Promise<string> {
      await worker.runDue();
      const { rows } = await sql<{ text: string }>`SELECT text FROM mails WHERE to_address = ${to}`.execute(db);
      return rows.map(({ text }) => key.exec(text)?.[1]).find((found) => found !== undefined) ?? "";
    },
  };
}
export type AuditedApp = Awaited<ReturnType<typeof anAuditedApp>>;

export type Call = (app: AuditedApp) => Promise<LightMyRequestResponse>;

/**
 * How the routes that leave something in the audit log are called so that they do, where `tenancy` does not say it and
 * its `item` does not make the call: once for each action
 * that a single call cannot leave. `shownIn` names the test that shows what needs more than an app.
 */
export const auditedCalls: Record<string, [Call, ...Call[]] | { shownIn: string }> = {
  "users.login": [
    async ({ call, tenant: { owner } }) =>
      call("POST", "/v1/users/login", { body: { email: owner.user.email, password: owner.user.password } }),
  ],
  "operator.setTerms": [
    async (app) =>
      (await anOperator(app)).put(`/v1/operator/organizations/${app.tenant.organization}`, {
        reason: "a larger plan",
        license: { type: "fixed" },
        limits: { devices: 101 },
        zone: { name: "southeast asia", is_dedicated: true },
      }),
  ],
  "operator.offer": [
    async (app) => {
      await aFoundDevice(app.db);
      return (await anOperator(app)).post("/v1/operator/offer", foundDevice);
    },
  ],
  "operator.setStatus": [false, true].map(
    (is_enabled): Call =>
      async (app) =>
        (await anOperator(app)).put(`/v1/operator/people/${app.tenant.colleague.user.uuid}/status`, {
          reason: "asked for by mail",
          is_enabled,
        }),
  ) as [Call, ...Call[]],
  "operator.removeSecondFactors": [
    async (app) => {
      const [operator, robin] = [await anOperator(app), await app.as()];
      await setUpTotp(app, robin);
      const { password } = operator.user;
      return operator.delete(`/v1/operator/people/${robin.user.uuid}/second-factor`, { reason: "lost", password });
    },
  ],
  "operator.setGateway": [false, true].map((isDraining): Call => async (app) => {
    await app.db
      .insertInto("gateways")
      .values({ id: "east", address: "127.0.0.1:1" })
      .onConflict((row) => row.doNothing())
      .execute();
    if (!isDraining) await app.db.insertInto("draining_gateways").values({ id: "east" }).execute();
    return (await anOperator(app)).put("/v1/operator/gateways/east", { is_draining: isDraining });
  }) as [Call, ...Call[]],
  "operatorBilling.setPrice": [
    async (app) => {
      const organization = await anOrganization(app.db);
      await aSubscription(app.db, organization, { at: new Date(app.clock.now()) });
      return (await anOperator(app)).put(`/v1/operator/organizations/${organization}/price`, {
        reason: "agreed",
        price: 9,
      });
    },
  ],
  "operatorBilling.cancelPlan": [
    async (app) => {
      const organization = await anOrganization(app.db);
      await aSubscription(app.db, organization, { at: new Date(app.clock.now()) });
      return (await anOperator(app)).post(`/v1/operator/organizations/${organization}/cancel-plan`, { reason: "gone" });
    },
  ],
  "operatorBilling.setTax": [
    async (app) =>
      (await anOperator(app)).put(`/v1/operator/organizations/${app.tenant.organization}/tax`, {
        reason: "agreed",
        percentage: 0,
      }),
  ],
  "operatorBilling.setPrices": [
    async (app) =>
      (await anOperator(app)).put("/v1/operator/prices", { reason: "a new year", prices: { minute_cents: 6 } }),
  ],
  "operatorBilling.grantMinutes": [
    async (app) =>
      (await anOperator(app)).post(`/v1/operator/organizations/${app.tenant.organization}/minutes`, {
        reason: "an outage",
        minutes: 60,
      }),
  ],
  "operatorBilling.refund": [
    async (app) => {
      const uuid = await anInvoice(app.db, app.tenant.organization, { statuses: ["PENDING", "ACCEPTED"] });
      return (await anOperator(app)).post(`/v1/operator/invoices/${uuid}/refund`, { reason: "an outage" });
    },
  ],
  "operatorBilling.markPaid": [
    async (app) => {
      const uuid = await anInvoice(app.db, app.tenant.organization, { statuses: ["PENDING"] });
      return (await anOperator(app)).post(`/v1/operator/invoices/${uuid}/mark-paid`, { reason: "by transfer" });
    },
  ],
  "operatorBilling.run": [async (app) => (await anOperator(app)).post("/v1/operator/billing/run")],
  "operatorBilling.moveClock": { shownIn: "features/operator/billing.db.test.ts" },
  "operator.retryJobs": [
    async (app) => {
      await aFailedJob(app);
      return (await anOperator(app)).post("/v1/operator/jobs/retry", {});
    },
  ],
  "operator.retryJob": [
    async (app) => (await anOperator(app)).post(`/v1/operator/jobs/${await aFailedJob(app)}/retry`),
  ],
  "operator.discardJob": [async (app) => (await anOperator(app)).delete(`/v1/operator/jobs/${await aFailedJob(app)}`)],
  "users.signout": [async ({ as }) => (await as()).post("/v1/users/signout")],
  "users.acceptTerms": [
    async ({ as }) => (await as({ fields: { tnc_accepted_at: null } })).post("/v1/users/terms-and-conditions"),
  ],
  "users.update": [
    async ({ tenant: { owner } }) => owner.put(`/v2/users/${owner.user.uuid}`, { first_name: "Fern" }),
    async ({ tenant: { owner } }) =>
      owner.put(`/v2/users/${owner.user.uuid}`, { front_preferences: { theme: "dark" } }),
    ...[{ is_organization_manager: true }, { is_enabled: false }, { is_enabled: true }].map(
      (change): Call =>
        async ({ tenant: { manager, colleague } }) =>
          manager.put(`/v2/users/${colleague.user.uuid}`, change),
    ),
  ],
  "accounts.create": [async (app) => signUp(app)],
  "accounts.resendLink": [
    async (app) => {
      const email = emailOf(await signUp(app));
      const resent = await app.call("POST", "/v1/users/activate/resend", { body: { email } });
      await app.runJobs();
      return resent;
    },
  ],
  "accounts.activate": [
    async (app) => {
      const email = emailOf(await signUp(app));
      return app.call("GET", `/v1/users/activate/${await app.mailed(email, /signup-confirm\?key=([\w-]+)/)}`);
    },
  ],
  "sessions.end": [
    async ({ as, call }) => {
      const robin = await as();
      await call("POST", "/v1/users/login", { body: { email: robin.user.email, password: robin.user.password } });
      const { sessions } = (await robin.get("/v1/sessions")).json<{
        sessions: { uuid: string; is_current: boolean }[];
      }>();
      return robin.delete(`/v1/sessions/${sessions.find(({ is_current }) => !is_current)?.uuid}`);
    },
  ],
  "sessions.endOthers": [
    async ({ as, call }) => {
      const robin = await as();
      await call("POST", "/v1/users/login", { body: { email: robin.user.email, password: robin.user.password } });
      return robin.delete("/v1/sessions");
    },
  ],
  "secondFactor.addTotp": [
    async ({ as, clock }) => {
      const { post, user } = await as();
      const path = `/v1/users/${user.uuid}/second-factor/totp`;
      const { secret, setup_ticket } = (await post(`${path}/begin`, { password: user.password })).json<Setup>();
      return post(path, { setup_ticket, code: anApp(clock, secret).code() });
    },
  ],
  "secondFactor.removeTotp": [
    async (app) => {
      const robin = await app.as();
      await setUpTotp(app, robin);
      return robin.delete(`/v1/users/${robin.user.uuid}/second-factor/totp`, { password: robin.user.password });
    },
  ],
  "secondFactor.renewCodes": [
    async (app) => {
      const robin = await app.as();
      await setUpTotp(app, robin);
      const { uuid, password } = robin.user;
      return robin.post(`/v1/users/${uuid}/second-factor/recovery-codes`, { password });
    },
  ],
  "secondFactor.confirm": [
    async (app) => {
      const robin = await app.as();
      const { recoveryCodes } = await setUpTotp(app, robin);
      const body = { ticket: await ticketOf(app, robin.user), method: "recovery", code: recoveryCodes[0] };
      return app.call("POST", "/v1/users/login/second-factor", { body });
    },
  ],
  "secondFactor.addRequiredTotp": [
    async (app) => {
      const user = await whoNeedsOne(app);
      const path = "/v1/users/login/second-factor/totp";
      const begun = await app.call("POST", `${path}/begin`, { body: { ticket: await ticketOf(app, user) } });
      const { secret, setup_ticket } = begun.json<Setup>();
      return app.call("POST", path, { body: { setup_ticket, code: anApp(app.clock, secret).code() } });
    },
  ],
  "passwords.change": [
    async ({ as }) => {
      const { put, user } = await as();
      return put("/v1/users/password", { old_password: user.password, new_password: PASSWORD });
    },
  ],
  "passwords.requestLink": [
    async ({ call, runJobs, tenant: { colleague } }) => {
      const asked = await call("POST", "/v1/users/password/request", { body: { email: colleague.user.email } });
      await runJobs();
      return asked;
    },
  ],
  "passwords.reset": [
    async ({ as, call, mailed }) => {
      const { email } = (await as()).user;
      await call("POST", "/v1/users/password/request", { body: { email } });
      const body = { reset_key: await mailed(email, /\/new\/([\w-]+)/), new_password: PASSWORD };
      return call("PUT", "/v1/users/password/reset", { body });
    },
  ],
  "programSignIns.decide": ["approve", "refuse"].map((decision): Call => async (app) => {
    const { user_code } = await beginProgram(app);
    return (await app.as()).post("/v1/program-sign-ins/decision", { code: user_code, decision });
  }) as [Call, ...Call[]],
  "programSignIns.finish": [
    async (app) => {
      const { user_code, device_code } = await beginProgram(app);
      await (await app.as()).post("/v1/program-sign-ins/decision", { code: user_code, decision: "approve" });
      return app.call("POST", "/v1/program-sign-ins/token", { body: { device_code } });
    },
  ],
  "passkeys.add": [async (app) => (await addPasskey(app)).added],
  "passkeys.rename": [
    async (app) => {
      const { robin, path } = await addPasskey(app);
      return app.call("PATCH", path, { body: { name: "Moss" }, headers: robin.headers });
    },
  ],
  "passkeys.remove": [
    async (app) => {
      const { robin, path } = await addPasskey(app);
      return robin.delete(path, { password: robin.user.password });
    },
  ],
  "passkeys.signIn": [
    async (app) => {
      const { authenticator } = await addPasskey(app);
      const credential = authenticator.use((await app.call("POST", "/v1/passkeys/options")).json());
      return app.call("POST", "/v1/passkeys/login", { body: { credential } });
    },
  ],
  "passkeys.addRequired": [
    async (app) => {
      const ticket = await ticketOf(app, await whoNeedsOne(app));
      const path = "/v1/users/login/second-factor/passkey";
      const options = await app.call("POST", `${path}/begin`, { body: { ticket } });
      const credential = new SoftwareAuthenticator(publicUrl).make(options.json());
      return app.call("POST", `${path}/add`, { body: { ticket, credential } });
    },
  ],
  "passkeys.confirm": [
    async (app) => {
      const { robin, authenticator } = await addPasskey(app);
      await setUpTotp(app, robin);
      const ticket = await ticketOf(app, robin.user);
      const path = "/v1/users/login/second-factor/passkey";
      const credential = authenticator.use((await app.call("POST", `${path}/options`, { body: { ticket } })).json());
      return app.call("POST", path, { body: { ticket, credential } });
    },
  ],
  "sso.callback": [
    async ({ call, server }) => {
      const query = new URLSearchParams({ provider: "oidc", redirect_uri });
      const { url } = (await call("GET", `/v1/sso/oauth/login-url/?${query}`)).json<{ url: string }>();
      const back = new URLSearchParams({
        provider: "oidc",
        ...(await server.visit(url, { ...there, sub: "zoe", email: "zoe@elsewhere.example" })),
      });
      return call("GET", `/v1/sso/oauth/callback/?${back}`);
    },
  ],
  "sso.link": [async (app) => (await link(app)).linked],
  "sso.unlink": [
    async (app) => {
      const { robin } = await link(app);
      const path = `/v1/users/${robin.user.uuid}/identities`;
      const { identities } = (await robin.get(path)).json<{ identities: { uuid: string }[] }>();
      return robin.delete(`${path}/${identities[0]?.uuid}`, { password: robin.user.password });
    },
  ],
  "invitations.resend": [
    async ({ tenant: { manager } }) => {
      const sent = await manager.post("/v1/accounts/invites", { emails: [anEmail()] });
      const { results } = sent.json<{ results: { uuid: string }[] }>();
      return manager.post("/v1/accounts/invites/resend", { genyids: results.map(({ uuid }) => uuid) });
    },
  ],
  "invitations.accept": [
    async ({ tenant: { manager }, call, mailed }) => {
      const email = anEmail();
      await manager.post("/v1/accounts/invites", { emails: [email] });
      const body = { password: PASSWORD, tnc_accepted: true };
      return call("POST", `/v2/accounts/invites/${await mailed(email, /\/join\/([\w-]{43})/)}`, { body });
    },
  ],
  "profile.remove": [
    async ({ as }) => {
      const { user, ...robin } = await as();
      return robin.delete(`/v1/users/${user.uuid}`, { password: user.password });
    },
  ],
  "profile.export": [async ({ tenant: { owner } }) => owner.get(`/v1/users/${owner.user.uuid}/export`)],
  "organizations.requireSecondFactor": [
    async (app) => {
      const manager = await app.as({ role: "manager" });
      await setUpTotp(app, manager);
      const path = `/v1/organizations/${manager.user.organization_uuid}/second-factor`;
      return manager.put(path, { is_required: true, password: manager.user.password });
    },
  ],
  "groups.moveUsers": [
    async (app) => {
      const { manager, owner } = app.tenant;
      const move = { user_uuid: owner.user.uuid, original_group_uuid: await aGroupOf(app, [owner]) };
      return manager.put(`/v1/groups/${await aGroupOf(app)}/users`, [move]);
    },
  ],
  "groups.removeUsers": [
    async (app) => {
      const { manager, owner } = app.tenant;
      return manager.delete(`/v1/groups/${await aGroupOf(app, [owner])}/users`, { user_uuids: [owner.user.uuid] });
    },
  ],
  "imports.addUsersToGroups": [
    async ({ tenant: { manager, organization } }) => {
      const path = `/v1/organizations/${organization}/upload/add-users-to-groups?create_groups=true`;
      const form = await aForm({ name: "people.csv", content: `email,group\n${manager.user.email},${randomUUID()}` });
      return manager.post(path, form.body, form.headers);
    },
  ],
  "organizations.edit": [
    async ({ as }) => {
      const { user, put } = await as({ role: "manager" });
      return put(`/v1/organizations/${user.organization_uuid}`, { name: "Another name" });
    },
  ],
  "signInRules.set": [
    async ({ as }) => {
      const { user, put } = await as({ role: "manager" });
      const body = { password: user.password, session_hours: 8 };
      return put(`/v1/organizations/${user.organization_uuid}/sign-in-rules`, body);
    },
  ],
  "provisioning.createToken": [async (app) => (await aProvisioningToken(app)).created],
  "provisioning.revokeToken": [
    async (app) => {
      const { manager, path, created } = await aProvisioningToken(app);
      return manager.delete(`${path}/tokens/${created.json<{ uuid: string }>().uuid}`);
    },
  ],
  "provisioning.setClaim": [
    async (app) => {
      const { as, db, operator, server } = app;
      const organization = await anOrganization(db);
      const manager = await as({ role: "manager", organization });
      const given = { domain: "claims.example", issuer: server.issuer, clientId: "terrarium", clientSecret: "secret" };
      await setOrganizationProvider(operator, organization, given);
      return manager.put(`/v1/organizations/${organization}/provisioning/claim`, { claim: "groups", groups: [] });
    },
  ],
  "recipes.create": [
    async ({ tenant: { owner, hardware, image } }) =>
      owner.post("/v1/recipes", {
        name: "Moss",
        description: "",
        hardware_profile_uuid: hardware,
        os_image_uuid: image,
      }),
  ],
  "recipes.delete": [
    async ({ tenant: { owner, copy } }) => {
      const parts = {
        hardware_profile_uuid: await copy("hardware_profiles"),
        os_image_uuid: await copy("os_images"),
      };
      const recipe = await copy("recipes", parts);
      return owner.delete(`/v1/recipes/${recipe}`, { delete_hardware_profile: true, delete_os_image: true });
    },
  ],
  "recipes.rollBack": [
    async ({ tenant: { owner, copy }, db }) => {
      const os_image_uuid = await aCustom(db, "os_images", owner.user, { previous_layers: "[]" });
      return owner.put(`/v1/recipes/${await copy("recipes", { os_image_uuid })}/rollback`);
    },
  ],
  "recipes.share": [
    async ({ tenant }) => (await share(tenant)).shared,
    async ({ tenant }) => {
      const { recipe, organizations } = await share(tenant);
      return tenant.owner.post(`/v1/recipes/${recipe}/share`, { organizations, message: "another" });
    },
  ],
  "shares.update": [
    async ({ tenant }) => tenant.owner.put((await share(tenant)).path, { message: "another" }),
    async ({ tenant, as }) => {
      const { user } = await as();
      const { path } = await share(tenant);
      return tenant.owner.put(path, { organizations: [user.organization_uuid] });
    },
  ],
  "hardwareProfiles.create": [
    async ({ tenant: { owner } }) => {
      const displays = [{ width: 1080, height: 2400, density: 420 }];
      return owner.post("/v1/hardware-profiles", { name: "Fern", display_settings: { displays } });
    },
  ],
  "instances.save": [
    async ({ as, db, clock }) => {
      const owner = await as();
      const os_image_uuid = await aCustom(db, "os_images", owner.user);
      const recipe = await aCustom(db, "recipes", owner.user, { os_image_uuid });
      const body = { instance_name: "one", rename_on_conflict: true };
      const started = await owner.post(`/v1/recipes/${recipe}/start-disposable`, body);
      const { uuid } = started.json<{ uuid: string }>();
      const move = { uuid, now: new Date(clock.now()) };
      const machine = { adb: { host: "127.0.0.1", port: 1 }, canSave: true };
      await moveInstance(db, { ...move, event: "powered", machine });
      await moveInstance(db, { ...move, event: "answered" });
      await moveInstance(db, { ...move, event: "booted" });
      return owner.post(`/v1/instances/${uuid}/save`, { action: "SAVE" });
    },
  ],
  "instances.extend": [
    async ({ db, clock, tenant: { owner } }) => {
      const { uuid } = (await owner.start()).json<{ uuid: string }>();
      for (const event of ["powered", "answered", "booted"] as const)
        await moveInstance(db, { uuid, event, now: new Date(clock.now()) });
      return owner.post(`/v1/instances/${uuid}/extend`);
    },
  ],
  // With a gateway.
  "embedLinks.revoke": { shownIn: "features/embed-links/embed-links.db.test.ts" },
  "scenarios.start": { shownIn: "features/scenarios/scenarios.db.test.ts" },
  "instances.installApp": { shownIn: "features/instances/install-app.db.test.ts" },
  "liveSessions.invite": [
    async (app) => {
      const { owner, colleague } = app.tenant;
      const livesession = (await aLiveSession(app)).shared.json<{ uuid: string }>().uuid;
      return owner.post("/v1/livesessions/participants", { livesession, invitations: [colleague.user.email] });
    },
  ],
  "liveSessions.setControl": [
    async (app) => {
      const { owner, colleague } = app.tenant;
      const { participant } = await aLiveSession(app, [colleague.user.email]);
      const path = `/v1/livesessions/participants/${participant}`;
      return app.call("PATCH", path, { body: { can_control: false }, headers: owner.headers });
    },
  ],
  "liveSessions.remove": [
    async (app) => {
      const { owner, colleague } = app.tenant;
      const { participant } = await aLiveSession(app, [colleague.user.email]);
      return owner.delete(`/v1/livesessions/participants/${participant}`);
    },
  ],
  "audit.export": [async ({ tenant: { manager } }) => manager.get("/v1/audit/export")],
  "usage.export": [
    async ({ tenant: { manager } }) => manager.get("/v1/usage/export?since=2026-03-01&until=2026-03-31"),
  ],
  "subscriptions.create": [
    async ({ as, db }) => {
      const manager = await as({ role: "manager" });
      await makePayable(db, manager.user.organization_uuid ?? "");
      return manager.post("/v1/billing/subscriptions", { plan: "payg" });
    },
  ],
  "trials.request": [
    async ({ as }) => {
      const { user, post } = await as({ role: "manager" });
      return post(`/v1/organizations/${user.organization_uuid}/trial-request`, trialForm);
    },
  ],
  "trials.requestPremium": [
    async ({ as }) => {
      const { user, post } = await as({ role: "manager" });
      return post(`/v1/organizations/${user.organization_uuid}/premium-offer-request`, premiumForm);
    },
  ],
  "trials.decide": (
    [
      ["trial-request", { ...trialForm, type_license: "individual" }, "approve"],
      ["trial-request", trialForm, "reject"],
      ["premium-offer-request", premiumForm, "approve"],
      ["premium-offer-request", premiumForm, "reject"],
    ] as const
  ).map(([path, form, decision]): Call => async (app) => {
    const { user, post } = await app.as({ role: "manager" });
    await post(`/v1/organizations/${user.organization_uuid}/${path}`, form);
    return decideAsked(app, user.organization_uuid ?? "", decision);
  }) as [Call, ...Call[]],
  "budgets.extend": [
    async ({ as, db, clock }) => {
      const manager = await as({ role: "manager" });
      const { uuid } = (await manager.post("/v1/budgets", { unit: "minutes", limit: 60 })).json<{ uuid: string }>();
      await db
        .updateTable("budgets")
        .set({ stops_at: new Date(clock.now()) })
        .where("uuid", "=", uuid)
        .execute();
      return manager.post(`/v1/budgets/${uuid}/extend`);
    },
  ],
  "webhooks.replay": [
    async ({ as }) => {
      const manager = await as({ role: "manager" });
      const { uuid } = (await manager.post("/v1/webhooks", aWebhook)).json<{ uuid: string }>();
      const test = (await manager.post(`/v1/webhooks/${uuid}/test`)).json<{ uuid: string }>();
      return manager.post(`/v1/webhooks/${uuid}/deliveries/${test.uuid}/replay`);
    },
  ],
  "cards.delete": [
    async ({ as }) => {
      const manager = await as({ role: "manager" });
      const added = await manager.post("/v1/billing/cards", { token: "pm_card_visa" });
      return manager.delete(`/v1/billing/cards/${added.json<{ uuid: string }>().uuid}`);
    },
  ],
  "support.send": [
    async ({ call }) => call("POST", "/v1/support", { body: { email: "zoe@fern.test", message: "It is slow." } }),
  ],
};

interface Setup {
  secret: string;
  setup_ticket: string;
}

const aWebhook = { url: "https://ci.example.com/hook", events: ["instance.started"] };
const anEmail = () => `new-${randomUUID()}@fernworks.test`;
const emailOf = (signedUp: LightMyRequestResponse) => signedUp.json<{ user: { email: string } }>().user.email;

async function signUp({ call }: AuditedApp) {
  const puzzle = (await call("GET", "/v1/users/puzzle")).json<Puzzle>();
  const body = {
    email: anEmail(),
    password: PASSWORD,
    organization_name: "Fern and moss",
    turnstileCaptcha_token: await solvePuzzle(puzzle),
  };
  return call("POST", "/v1/users", { body });
}

async function ticketOf({ call }: AuditedApp, { email, password }: { email: string; password: string }) {
  const answer = await call("POST", "/v1/users/login", { body: { email, password } });
  return answer.json<{ details: { ticket: string } }>().details.ticket;
}

/** Somebody whose organization requires a second factor, which they do not have. */
async function whoNeedsOne({ as, operator }: AuditedApp) {
  const { user } = await as();
  const rule = { organization: user.organization_uuid ?? "", is_required: true };
  await requireSecondFactor({ ...operator, pagesAt: () => publicUrl }, rule, operator.by);
  return user;
}

/** A program asks for an API token. */
const beginProgram = async ({ call }: AuditedApp) =>
  (await call("POST", "/v1/program-sign-ins", { body: { host: "laptop" } })).json<Record<string, string>>();

async function addPasskey({ as }: AuditedApp) {
  const robin = await as();
  const path = `/v1/users/${robin.user.uuid}/passkeys`;
  const authenticator = new SoftwareAuthenticator(publicUrl);
  const options = await robin.post(`${path}/options`, { password: robin.user.password });
  const added = await robin.post(path, { name: "My phone", credential: authenticator.make(options.json()) });
  return { robin, authenticator, added, path: `${path}/${added.json<{ uuid: string }>().uuid}` };
}

async function aProvisioningToken({ as }: AuditedApp) {
  const manager = await as({ role: "manager" });
  const path = `/v1/organizations/${manager.user.organization_uuid}/provisioning`;
  return { manager, path, created: await manager.post(`${path}/tokens`, { password: manager.user.password }) };
}

async function link({ as, server }: AuditedApp) {
  const robin = await as();
  const { password } = robin.user;
  const begun = await robin.post("/v1/sso/oauth/link-url", { provider: "oidc", redirect_uri, browser_key, password });
  const answer = await server.visit(begun.json<{ url: string }>().url, { ...there, sub: randomUUID() });
  return { robin, linked: await robin.post("/v1/sso/oauth/link", { provider: "oidc", browser_key, ...answer }) };
}

const aGroupOf = ({ db, tenant }: AuditedApp, people: AuditedApp["tenant"]["owner"][] = []) =>
  aGroup(db, tenant.organization, { people });

/** Shares a new recipe with the organization of its owner. */
async function share({ owner, copy, organization }: AuditedApp["tenant"]) {
  const recipe = await copy("recipes");
  const organizations = [organization];
  const shared = await owner.post(`/v1/recipes/${recipe}/share`, { organizations, message: "Here." });
  return { recipe, organizations, shared, path: `/v1/shares/${shared.json<{ uuid: string }>().uuid}` };
}

/** A new device of the owner's, shared with these people. */
async function aLiveSession({ tenant: { owner } }: AuditedApp, invitations: string[] = []) {
  const { uuid: instance } = (await owner.start()).json<{ uuid: string }>();
  const shared = await owner.post("/v1/livesessions", { instance, invitations });
  return { shared, participant: shared.json<LiveSession>().participants[0]?.uuid };
}
