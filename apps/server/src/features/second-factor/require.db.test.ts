import { sql, type Updateable } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { anApp, setUpTotp } from "../../testing/second-factor.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { SoftwareAuthenticator } from "../passkeys/testing/software-authenticator.ts";
import type { UserTable } from "../users/users.tables.ts";
import { requireOfOrganization } from "./for-operator.ts";

const publicUrl = "https://devices.example";
const PASSKEY = "/v1/users/login/second-factor/passkey";

interface Refused {
  details: { ticket: string };
}

/** Six digits that no app shows now. */
const WRONG = "000000";

/** Robin, whose organization has come to require a second factor. */
async function required(address = publicUrl) {
  const test = await createTestApp({ publicUrl: address });
  const { as, call, db } = test;
  const manager = await as({ role: "manager" });
  await setUpTotp(test, manager);
  const organization = manager.user.organization_uuid ?? "";
  const robin = await as({ organization });
  const path = `/v1/organizations/${organization}/second-factor`;
  const rule = (is_required: boolean, who = manager, password = who.user.password) =>
    who.put(path, { is_required, password });
  const { email, password } = robin.user;
  const login = () => call("POST", "/v1/users/login", { body: { email, password } });
  const begin = (ticket: string) => call("POST", "/v1/users/login/second-factor/totp/begin", { body: { ticket } });
  const finish = (setup_ticket: string, code: string) =>
    call("POST", "/v1/users/login/second-factor/totp", { body: { setup_ticket, code } });
  return {
    ...test,
    /** Has an authenticator make a passkey for whoever has the ticket. */
    makePasskey: async (ticket: string) =>
      new SoftwareAuthenticator(publicUrl).make((await call("POST", `${PASSKEY}/begin`, { body: { ticket } })).json()),
    addPasskey: (ticket: string, credential: object) =>
      call("POST", `${PASSKEY}/add`, { body: { ticket, credential } }),
    manager,
    organization,
    robin,
    rule,
    login,
    begin,
    finish,
    path,
    mails: async (subject: string) =>
      (
        await sql<{ to_address: string; text: string }>`
          SELECT to_address, text FROM mails WHERE subject = ${subject} ORDER BY to_address`.execute(db)
      ).rows,
  };
}

describe("an organization that requires a second factor", () => {
  it("lets members without one in as soon as they have set it up", async () => {
    const { rule, login, begin, finish, clock, call } = await required();
    await rule(true);
    const refused = await login();
    expect(outcomeOf(refused)).toBe("403 SECOND_FACTOR_SETUP_REQUIRED");
    const { ticket } = refused.json<Refused>().details;
    const { secret, setup_ticket } = (await begin(ticket)).json<{ secret: string; setup_ticket: string }>();
    const app = anApp(clock, secret);
    expect(outcomeOf(await finish(setup_ticket, WRONG))).toBe("403 SECOND_FACTOR_WRONG");
    const done = (await finish(setup_ticket, app.code())).json<{ token: string; recovery_codes: string[] }>();
    expect(done.recovery_codes).toHaveLength(10);
    const headers = { authorization: `Bearer ${done.token}` };
    expect((await call("GET", "/v2/instances", { headers })).statusCode).toBe(200);
    expect((await login()).json().code).toBe("SECOND_FACTOR_REQUIRED");
    // The ticket is for the first one alone.
    expect(outcomeOf(await begin(ticket))).toBe("410 SECOND_FACTOR_EXPIRED");
    expect(outcomeOf(await finish(setup_ticket, app.code(1)))).toBe("410 SECOND_FACTOR_EXPIRED");
  });

  it("lets them in with a passkey as well, which is asked for from then on", async () => {
    const { rule, login, makePasskey, addPasskey, call, mails, audited, robin, begin } = await required();
    await rule(true);
    const { ticket } = (await login()).json<Refused>().details;
    const credential = await makePasskey(ticket);
    const added = await addPasskey(ticket, credential);
    const done = added.json<{ token: string; recovery_codes: string[]; user: { uuid: string } }>();
    expect([added.statusCode, done.user.uuid, done.recovery_codes.length]).toEqual([200, robin.user.uuid, 10]);
    const headers = { authorization: `Bearer ${done.token}` };
    expect((await call("GET", "/v2/instances", { headers })).statusCode).toBe(200);
    const { passkeys } = (await call("GET", `/v1/users/${robin.user.uuid}/passkeys`, { headers })).json();
    expect(passkeys).toMatchObject([{ name: "lightMyRequest", works_here: true }]);
    expect((await login()).json().details.methods).toBe("passkey recovery");
    expect(await mails("A passkey was added to your Terrarium account")).toMatchObject([
      { to_address: robin.user.email },
    ]);
    expect((await audited()).filter(({ action }) => action === "passkey.add")).toMatchObject([
      { actor: robin.user.email },
    ]);
    // Neither adds another.
    expect(outcomeOf(await addPasskey(ticket, credential))).toBe("403 PASSKEY_REFUSED");
    expect(outcomeOf(await call("POST", `${PASSKEY}/begin`, { body: { ticket } }))).toBe("410 SECOND_FACTOR_EXPIRED");
    expect(outcomeOf(await begin(ticket))).toBe("410 SECOND_FACTOR_EXPIRED");
  });

  it("takes a passkey that was made for this ticket’s account, before there is another second factor", async () => {
    const { rule, login, makePasskey, addPasskey, begin, finish, clock, as, organization, call } = await required();
    const kim = await as({ organization });
    await rule(true);
    const { ticket } = (await login()).json<Refused>().details;
    const { email, password } = kim.user;
    const kims = (await call("POST", "/v1/users/login", { body: { email, password } })).json<Refused>().details.ticket;
    expect(outcomeOf(await addPasskey(ticket, await makePasskey(kims)))).toBe("403 PASSKEY_REFUSED");
    expect(outcomeOf(await addPasskey("x.y.z", await makePasskey(ticket)))).toBe("410 SECOND_FACTOR_EXPIRED");
    const late = await makePasskey(ticket);
    const { secret, setup_ticket } = (await begin(ticket)).json<{ secret: string; setup_ticket: string }>();
    expect((await finish(setup_ticket, anApp(clock, secret).code())).statusCode).toBe(200);
    expect(outcomeOf(await addPasskey(ticket, late))).toBe("410 SECOND_FACTOR_EXPIRED");
    await clock.advance(10 * 60_000);
    expect(outcomeOf(await call("POST", `${PASSKEY}/begin`, { body: { ticket: kims } }))).toBe(
      "410 SECOND_FACTOR_EXPIRED",
    );
  });

  it("offers no passkey where none can be used", async () => {
    const { rule, login, call } = await required("https://192.0.2.1");
    await rule(true);
    const { ticket } = (await login()).json<Refused>().details;
    expect(outcomeOf(await call("POST", `${PASSKEY}/begin`, { body: { ticket } }))).toBe("409 PASSKEYS_NOT_AVAILABLE");
  });

  it("admits with that ticket to nothing else", async () => {
    const { rule, login, call, finish } = await required();
    await rule(true);
    const { ticket } = (await login()).json<Refused>().details;
    expect(outcomeOf(await finish(ticket, WRONG))).toBe("410 SECOND_FACTOR_EXPIRED");
    const body = { ticket, method: "totp", code: WRONG };
    expect(outcomeOf(await call("POST", "/v1/users/login/second-factor", { body }))).toBe("410 SECOND_FACTOR_EXPIRED");
  });

  it("ends the sessions of members who have none, and not their API tokens", async () => {
    const { rule, robin, manager, as, organization, call, audited } = await required();
    const kim = await as({ organization });
    expect((await kim.get("/v2/instances")).statusCode).toBe(200);
    const { token } = (await robin.post("/v1/api-tokens", { description: "ci" })).json<{ token: string }>();
    const stranger = await as();
    expect((await rule(true)).json()).toMatchObject({ requires_second_factor: true });
    expect((await robin.get("/v2/instances")).statusCode).toBe(401);
    for (const who of [manager, stranger]) expect((await who.get("/v2/instances")).statusCode).toBe(200);
    expect((await call("GET", "/v2/instances", { headers: { "x-api-token": token } })).statusCode).toBe(200);
    const [record] = (await audited()).filter(({ action }) => action === "organization.require_second_factor");
    expect(record).toMatchObject({ outcome: "done", details: { is_required: true, sessions: 2 } });
  });

  it("is free of it again when the rule ends", async () => {
    const { rule, login } = await required();
    await rule(true);
    expect((await rule(false)).json()).toMatchObject({ requires_second_factor: false });
    expect((await login()).statusCode).toBe(200);
  });

  it("has a manager with a second factor, or nothing changes", async () => {
    const { rule, as, organization, login, robin } = await required();
    const other = await as({ role: "manager", organization });
    expect(outcomeOf(await rule(true, other))).toBe("409 SECOND_FACTOR_MISSING");
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
    expect((await login()).statusCode).toBe(200);
  });

  it("is changed by its own managers, signed in themselves", async () => {
    const { rule, robin, as, manager, call, path } = await required();
    expect((await rule(true, robin)).statusCode).toBe(403);
    expect((await rule(true, await as({ role: "manager" }))).statusCode).toBe(404);
    const { token } = (await manager.post("/v1/api-tokens", { description: "ci", scope: "admin" })).json();
    const body = { is_required: true, password: manager.user.password };
    const byToken = await call("PUT", path, { body, headers: { "x-api-token": token } });
    expect(outcomeOf(byToken)).toBe("403 FORBIDDEN");
    const origin = "https://elsewhere.example";
    expect((await call("PUT", path, { body, headers: { ...manager.headers, origin } })).statusCode).toBe(403);
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
  });

  it("is so when a manager has proved who they are: whoever finds their browser locks nobody out", async () => {
    const { rule, robin, db, manager, clock } = await required();
    expect(outcomeOf(await rule(true, manager, "wrong horse 1"))).toBe("403 WRONG_PASSWORD");
    await db.updateTable("users").set({ password_hash: null }).where("uuid", "=", manager.user.uuid).execute();
    await clock.advance(10 * 60_000 + 1);
    expect(outcomeOf(await rule(true))).toBe("403 SIGN_IN_AGAIN");
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
  });

  it("is not changed with a password that is replaced at that moment", async () => {
    const { rule, robin, db, manager } = await required();
    let asked: ReturnType<typeof rule> | undefined;
    await db.transaction().execute(async (trx) => {
      await trx.updateTable("users").set({ password_hash: "another" }).where("uuid", "=", manager.user.uuid).execute();
      asked = rule(true);
      await Promise.race([asked, untilBlocked(db)]);
    });
    expect(asked && outcomeOf(await asked)).toBe("403 WRONG_PASSWORD");
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
  });

  it("tells all its managers by mail, when something has changed", async () => {
    const { rule, manager, as, organization, db, mails, operator } = await required();
    const another = async (fields: Updateable<UserTable>) => {
      const { user } = await as({ role: "manager", organization });
      await db.updateTable("users").set(fields).where("uuid", "=", user.uuid).execute();
    };
    await another({ email: "kim@moss.example" });
    await another({ is_enabled: false });
    await another({ is_validated: false });
    await db.updateTable("organizations").set({ name: "Mossworks" }).where("uuid", "=", organization).execute();
    const { email } = manager.user;
    await rule(true);
    await rule(true);
    const begun = await mails("Signing in now takes a second factor in Mossworks");
    expect(begun.map(({ to_address }) => to_address)).toEqual([email, "kim@moss.example"].toSorted());
    for (const { text } of begun) expect(text).toContain(`${email} has set that members of Mossworks sign in with`);
    await requireOfOrganization(operator, "Mossworks", false, publicUrl);
    const ended = await mails("Signing in no longer takes a second factor in Mossworks");
    expect(ended).toHaveLength(2);
    for (const { text } of ended) expect(text).toContain("The operator of this service has set that members");
  });
});
