import { socketPath } from "@terrarium/contract";
import { io } from "socket.io-client";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestApp, type TestApp } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import { disableUser } from "../users/manage-user.ts";

const login = ({ call }: TestApp, email: string, password: string) =>
  call("POST", "/v1/users/login", { body: { email, password } });

/** The refusals that were recorded; replies do not wait for that, so wait until there are `count`. */
async function refusals({ db }: TestApp, count: number) {
  const read = () =>
    db.selectFrom("audit_records").selectAll().where("outcome", "=", "refused").orderBy("id").execute();
  await expect.poll(async () => (await read()).length).toBe(count);
  return read();
}

describe("a refused sign-in", () => {
  it("is recorded with its reason, about the user if the account exists", async () => {
    const test = await createTestApp();
    const robin = await test.as();
    const { email, password, uuid, organization_uuid } = robin.user;
    await login(test, email.toUpperCase(), "wrong horse 1");
    await refusals(test, 1);
    await login(test, "nobody@fern.test", "wrong horse 1");
    await disableUser(test.operator, email);
    await refusals(test, 2);
    await login(test, email, password);
    const [wrong, unknown, disabled] = await refusals(test, 3);
    const route = "POST /v1/users/login";
    const from = { action: "session.open", actor_kind: "nobody", actor_uuid: null, address: "127.0.0.1" };
    const about = { subject_kind: "user", subject_uuid: uuid, organization_uuid };
    expect(wrong).toMatchObject({ ...from, ...about, details: { code: "BAD_USERNAME_PASSWORD", route } });
    expect(unknown).toMatchObject({
      ...from,
      subject_uuid: null,
      organization_uuid: null,
      details: { code: "BAD_USERNAME_PASSWORD", route },
    });
    expect(JSON.stringify(unknown)).not.toContain("nobody@");
    expect(disabled).toMatchObject({ ...from, ...about, details: { code: "USER_NOT_ENABLED", route } });
  });

  it("is recorded where the password was right, but is no way to sign in that the organization allows", async () => {
    const test = await createTestApp();
    const { email, password, uuid, organization_uuid } = (await test.as()).user;
    await test.db
      .updateTable("organizations")
      .set({ allowed_sign_ins: ["passkey"] })
      .execute();
    expect((await login(test, email, password)).statusCode).toBe(403);
    const [refused] = await refusals(test, 1);
    expect(refused).toMatchObject({
      action: "session.open",
      subject_uuid: uuid,
      organization_uuid,
      details: { code: "SIGN_IN_NOT_ALLOWED" },
    });
  });

  it("is recorded as limited when it was", async () => {
    const test = await createTestApp();
    const robin = await test.as();
    for (let count = 0; count < 10; count++) await login(test, robin.user.email, "wrong horse 1");
    await refusals(test, 10);
    expect((await login(test, robin.user.email, "wrong horse 1")).statusCode).toBe(429);
    expect((await refusals(test, 11))[10]).toMatchObject({
      action: "session.open",
      subject_uuid: robin.user.uuid,
      details: { code: "TOO_MANY_REQUESTS" },
    });
  });

  it("is recorded fifteen times a minute for an address; the others are counted", async () => {
    const test = await createTestApp();
    for (let count = 0; count < 25; count++) await login(test, `nobody${count}@fern.test`, "wrong horse 1");
    const first = await refusals(test, 15);
    expect(first.every(({ details }) => !("not_recorded" in details))).toBe(true);
    await test.clock.advance(60_000);
    expect((await refusals(test, 16))[15]).toMatchObject({
      action: "session.open",
      actor_kind: "service",
      address: "127.0.0.1",
      details: { not_recorded: 10 },
    });
    await login(test, "nobody@fern.test", "wrong horse 1");
    await refusals(test, 17);
  });

  it("does not use up what is recorded of other refusals", async () => {
    const test = await createTestApp();
    for (let count = 0; count < 16; count++) await login(test, `nobody${count}@fern.test`, "wrong horse 1");
    await refusals(test, 15);
    await test.call("GET", "/v2/instances", { headers: { "x-api-token": "tt_unknown" } });
    expect((await refusals(test, 16))[15]).toMatchObject({ action: "credential.use" });
  });
});

describe("a refused credential", () => {
  it("is recorded as forged, expired, ended or unknown, about its user if it was genuine", async () => {
    const test = await createTestApp();
    const [robin, kim] = [await test.as(), await test.as()];
    const get = (headers: Record<string, string>) => test.call("GET", "/v2/instances", { headers });
    const sessions = await test.db.selectFrom("sessions").select(["uuid", "user_uuid"]).execute();
    const sessionOf = (user: string) => sessions.find(({ user_uuid }) => user_uuid === user)?.uuid;
    await get({ authorization: `Bearer ${robin.token.slice(0, -4)}AAAA` });
    await refusals(test, 1);
    await kim.post("/v1/users/signout");
    await get(kim.headers);
    await refusals(test, 2);
    await get({ "x-api-token": "tt_unknown" });
    await refusals(test, 3);
    await get(robin.headers);
    await test.clock.advance(25 * 3_600_000);
    await get(robin.headers);
    const recorded = await refusals(test, 4);
    const route = "GET /v2/instances";
    const code = "NOT_AUTHENTICATED";
    const about = ({ uuid, organization_uuid }: typeof kim.user) => ({
      credential_uuid: sessionOf(uuid),
      subject_kind: "user",
      subject_uuid: uuid,
      organization_uuid,
    });
    const none = { credential_uuid: null, subject_uuid: null, organization_uuid: null };
    expect(recorded).toMatchObject([
      { ...none, details: { code, route, credential: "session", reason: "forged" } },
      { ...about(kim.user), details: { code, route, credential: "session", reason: "ended" } },
      { ...none, details: { code, route, credential: "api_token", reason: "unknown" } },
      { ...about(robin.user), details: { code, route, credential: "session", reason: "expired" } },
    ]);
    for (const { action, actor_kind } of recorded) expect([action, actor_kind]).toEqual(["credential.use", "nobody"]);
  });

  it("is recorded as expired when the token was never seen before, too", async () => {
    const test = await createTestApp();
    const robin = await test.as();
    await test.clock.advance(25 * 3_600_000);
    await robin.get("/v2/instances");
    expect(await refusals(test, 1)).toMatchObject([{ subject_uuid: robin.user.uuid, details: { reason: "expired" } }]);
  });

  it("is recorded for sockets, with the address that a trusted proxy tells", async () => {
    const test = await createTestApp({ listen: true, trustedProxies: ["127.0.0.1"] });
    const socket = io(`http://127.0.0.1:${test.port}`, {
      path: socketPath,
      query: { api_token: "tt_unknown" },
      extraHeaders: { "x-forwarded-for": "203.0.113.9" },
    });
    onTestFinished(() => void socket.disconnect());
    await new Promise((resolve) => socket.once("connect_error", resolve));
    expect(await refusals(test, 1)).toMatchObject([
      {
        action: "credential.use",
        address: "203.0.113.9",
        details: { credential: "api_token", reason: "unknown", route: socketPath },
      },
    ]);
  });

  it("is none where no credential was sent", async () => {
    const test = await createTestApp();
    expect((await test.call("GET", "/v2/instances")).statusCode).toBe(401);
    await test.app.stop();
    expect(await test.audited()).toEqual([]);
  });
});

describe("a refused call", () => {
  it("is recorded with who made it", async () => {
    const test = await createTestApp();
    const organization = await anOrganization(test.db);
    const [robin, kim] = [await test.as({ organization }), await test.as({ organization })];
    const guest = await test.as({ role: "guest" });
    const { uuid } = (await robin.start()).json();
    expect((await guest.get("/v2/users")).statusCode).toBe(403);
    await refusals(test, 1);
    expect((await kim.post(`/v1/instances/${uuid}/stop-disposable`)).statusCode).toBe(403);
    expect(await refusals(test, 2)).toMatchObject([
      {
        action: "route.use",
        actor_kind: "user",
        actor_uuid: guest.user.uuid,
        details: { code: "FORBIDDEN", route: "GET /v2/users" },
      },
      {
        action: "route.use",
        actor_kind: "user",
        actor_uuid: kim.user.uuid,
        organization_uuid: organization,
        details: { code: "INSTANCE_STOP_NOT_ALLOWED", route: "POST /v1/instances/:uuid/stop-disposable" },
      },
    ]);
  });

  it("is none where something does not exist, is not valid, or waits for the terms", async () => {
    const test = await createTestApp();
    const robin = await test.as({ fields: { tnc_accepted_at: null } });
    await robin.get("/v2/instances");
    await robin.get("/v1/users/nonsense");
    await robin.get("/v1/nothing");
    await test.app.stop();
    expect((await test.audited()).map(({ outcome }) => outcome)).toEqual(["done"]);
  });
});
