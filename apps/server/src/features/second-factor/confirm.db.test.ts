import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { DatabaseRateLimiter } from "../../platform/rate-limits/database-rate-limiter.ts";
import { secretFor } from "../../platform/secrets.ts";
import { createTestApp } from "../../testing/app.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { setUpTotp } from "../../testing/second-factor.ts";
import { resetPassword, disableUser, enableUser } from "../users/manage-user.ts";
import { signInsOfAccount } from "../users/sign-in-limits.ts";
import { wrongCodesOfAccount, wrongCodesOfBrowser } from "./confirm.ts";
import { removeSecondFactors, requireOfOrganization } from "./for-operator.ts";
import { TICKET_MS } from "./tickets.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

interface Refused {
  code: string;
  details: { ticket: string; methods: string };
}

/** Robin, who has set up an authenticator app, and comes back a minute later. */
async function withApp() {
  const test = await createTestApp({ publicUrl: "https://devices.example" });
  const { as, call, clock, db } = test;
  const robin = await as({ role: "manager" });
  const app = await setUpTotp(test, robin);
  await clock.advance(60_000);
  const { email, password } = robin.user;
  const login = (more: object = {}) => call("POST", "/v1/users/login", { body: { email, password, ...more } });
  const getTicket = async () => (await login()).json<Refused>().details.ticket;
  return {
    ...test,
    robin,
    app,
    login,
    getTicket,
    confirm: async (
      body: { ticket?: string; method?: string; code?: string; browser_token?: string },
      from = "192.0.2.7",
    ) =>
      call("POST", "/v1/users/login/second-factor", {
        body: { method: "totp", code: app.code(), ...body, ticket: body.ticket ?? (await getTicket()) },
        from,
      }),
    mails: async () =>
      (await sql<{ subject: string; text: string }>`SELECT subject, text FROM mails ORDER BY created_at`.execute(db))
        .rows,
  };
}

/** Six digits that no app shows now. */
const WRONG = "000000";

describe("a sign-in with the password", () => {
  it("opens no session for somebody with a second factor, but gets a ticket", async () => {
    const { login, robin, audited } = await withApp();
    const sessions = async () =>
      (await audited()).filter(({ action, outcome }) => action === "session.open" && outcome === "done").length;
    const before = await sessions();
    const answer = await login();
    expect([answer.statusCode, answer.json()]).toMatchObject([
      403,
      { code: "SECOND_FACTOR_REQUIRED", details: { methods: "totp recovery" } },
    ]);
    expect(answer.body).not.toContain('"token"');
    expect(await sessions()).toBe(before);
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
  });

  it("is recorded as refused then, about its owner, as is one that asks to set up a second factor", async () => {
    const { login, robin, audited, operator } = await withApp();
    const organization = robin.user.organization_uuid ?? "";
    const refused = async (code: string) =>
      (await audited()).filter(({ outcome, details }) => outcome === "refused" && details["code"] === code);
    const record = { action: "session.open", subject: robin.user.email };
    await login();
    await expect.poll(() => refused("SECOND_FACTOR_REQUIRED")).toMatchObject([record]);
    await requireOfOrganization(operator, organization, true, "https://devices.example");
    await removeSecondFactors(operator, robin.user.email, "https://devices.example");
    expect(outcomeOf(await login())).toBe("403 SECOND_FACTOR_SETUP_REQUIRED");
    await expect.poll(() => refused("SECOND_FACTOR_SETUP_REQUIRED")).toMatchObject([record]);
  });

  it("uses up none of the sessions that the account may open, until it is confirmed", async () => {
    const { login, confirm, robin, db, clock } = await withApp();
    const limiter = new DatabaseRateLimiter({ db, clock, secret: await secretFor(db, "attempts") });
    // Robin has signed in once.
    await limiter.take(signInsOfAccount, robin.user.uuid, signInsOfAccount.max - 2);
    for (let times = 0; times < 3; times++) expect(outcomeOf(await login())).toBe("403 SECOND_FACTOR_REQUIRED");
    expect(outcomeOf(await confirm({ code: WRONG }))).toBe("403 SECOND_FACTOR_WRONG");
    expect((await confirm({})).statusCode).toBe(200);
    await clock.advance(30_000);
    expect((await confirm({})).statusCode).toBe(429);
  });

  it("asks nobody for a second factor whose password is wrong", async () => {
    const { login } = await withApp();
    expect((await login({ password: "wrong horse 1" })).json().code).toBe("BAD_USERNAME_PASSWORD");
  });

  it("does not accept the ticket as a token", async () => {
    const { getTicket, call } = await withApp();
    const headers = { authorization: `Bearer ${await getTicket()}` };
    expect((await call("GET", "/v2/instances", { headers })).statusCode).toBe(401);
  });
});

describe("POST /v1/users/login/second-factor", () => {
  it("opens the session with a code of the app, and records it", async () => {
    const { confirm, robin, call, audited, app } = await withApp();
    const answer = await confirm({ code: ` ${app.code().slice(0, 3)} ${app.code().slice(3)}` });
    expect([answer.statusCode, answer.json().user.uuid]).toEqual([200, robin.user.uuid]);
    const headers = { authorization: `Bearer ${answer.json<{ token: string }>().token}` };
    expect((await call("GET", "/v2/instances", { headers })).statusCode).toBe(200);
    const [used] = (await audited()).filter(({ action }) => action === "second_factor.use");
    expect(used).toMatchObject({ outcome: "done", details: { method: "totp" } });
    const shown = (await robin.get(`/v1/users/${robin.user.uuid}/second-factor`)).json();
    expect(shown.totp.last_used_at).toBe("2026-03-02T09:01:00.000Z");
  });

  it("takes a code once, even by two requests at once, and no earlier one after it", async () => {
    const { confirm, app } = await withApp();
    const codes = async (...given: string[]) =>
      (await Promise.all(given.map((code) => confirm({ code })))).map(({ statusCode }) => statusCode);
    expect((await codes(app.code(), app.code())).toSorted((one, other) => one - other)).toEqual([200, 403]);
    expect(await codes(app.code(-1))).toEqual([403]);
    expect(await codes(app.code(1))).toEqual([200]);
  });

  it("does not take the code again that the app was set up with", async () => {
    const { clock, confirm, app } = await withApp();
    clock.step(-60_000);
    expect(outcomeOf(await confirm({ code: app.code() }))).toBe("403 SECOND_FACTOR_WRONG");
  });

  it("takes what the app shows where an operator has moved the service's clock", async () => {
    const { clock, confirm, app } = await withApp();
    const code = app.code();
    await clock.advance(7 * DAY_MS);
    expect(outcomeOf(await confirm({ code }))).toBe("403 SECOND_FACTOR_WRONG");
    Object.assign(clock, { movedMs: () => 7 * DAY_MS });
    expect((await confirm({ code })).statusCode).toBe(200);
  });

  it("takes a recovery code once, however it is typed, and mails its owner", async () => {
    const { confirm, app, mails } = await withApp();
    const [code = ""] = app.recoveryCodes;
    const typed = { method: "recovery", code: ` ${code.toUpperCase().replaceAll("-", " ")}` };
    expect((await confirm(typed)).statusCode).toBe(200);
    const [mail] = (await mails()).filter(({ subject }) => subject.startsWith("A recovery code"));
    expect(mail?.text).toContain("9 codes are left");
    expect(outcomeOf(await confirm(typed))).toBe("403 SECOND_FACTOR_WRONG");
  });

  it("takes no recovery code in place of the app's, nor that of somebody else", async () => {
    const test = await withApp();
    const [code = ""] = test.app.recoveryCodes;
    const kim = await setUpTotp(test, await test.as());
    const [hers = ""] = kim.recoveryCodes;
    expect(outcomeOf(await test.confirm({ code }))).toBe("403 SECOND_FACTOR_WRONG");
    expect(outcomeOf(await test.confirm({ method: "recovery", code: hers }))).toBe("403 SECOND_FACTOR_WRONG");
    expect(outcomeOf(await test.confirm({ code: kim.code(1) }))).toBe("403 SECOND_FACTOR_WRONG");
  });

  it("does not offer recovery codes when none is left", async () => {
    const { confirm, app, login } = await withApp();
    for (const code of app.recoveryCodes) await confirm({ method: "recovery", code });
    expect((await login()).json<Refused>().details.methods).toBe("totp");
  });

  it("refuses a ticket after ten minutes", async () => {
    const { getTicket, confirm, clock } = await withApp();
    const [ticket, other] = [await getTicket(), await getTicket()];
    await clock.advance(TICKET_MS - 1000);
    expect((await confirm({ ticket })).statusCode).toBe(200);
    await clock.advance(1000);
    expect(outcomeOf(await confirm({ ticket: other }))).toBe("410 SECOND_FACTOR_EXPIRED");
  });

  it("refuses a ticket after a new password, or when the account was disabled", async () => {
    const { getTicket, confirm, operator, robin } = await withApp();
    const ticket = await getTicket();
    await disableUser(operator, robin.user.email);
    expect(outcomeOf(await confirm({ ticket }))).toBe("410 SECOND_FACTOR_EXPIRED");
    await enableUser(operator, robin.user.email);
    await resetPassword(operator, robin.user.email, "a better horse 2");
    expect(outcomeOf(await confirm({ ticket }))).toBe("410 SECOND_FACTOR_EXPIRED");
  });

  it("asks for the second factor also with a password that was reset", async () => {
    const { login, operator, robin } = await withApp();
    await resetPassword(operator, robin.user.email, "a better horse 2");
    expect((await login({ password: "a better horse 2" })).json().code).toBe("SECOND_FACTOR_REQUIRED");
  });

  it("refuses tickets for other things, changed ones, and what is none", async () => {
    const { getTicket, confirm, robin } = await withApp();
    const ticket = await getTicket();
    const changed = ticket.replace(/.{5}$/, "AAAAA");
    for (const wrong of ["", "x", changed, robin.token])
      expect(outcomeOf(await confirm({ ticket: wrong }))).toBe("410 SECOND_FACTOR_EXPIRED");
  });

  it("limits wrong codes of an account, also of parallel requests, and records them as refused", async () => {
    const { confirm, getTicket, audited, robin, app } = await withApp();
    const ticket = await getTicket();
    const tries = Array.from({ length: wrongCodesOfAccount.max + 2 }, (_, index) =>
      confirm({ ticket, code: WRONG }, `192.0.2.${index}`),
    );
    const answers = (await Promise.all(tries)).map(({ statusCode }) => statusCode);
    expect(answers.toSorted((one, other) => one - other)).toEqual([
      ...Array.from({ length: wrongCodesOfAccount.max }, () => 403),
      429,
      429,
    ]);
    expect((await confirm({ ticket, code: app.code() }, "198.51.100.1")).statusCode).toBe(429);
    const [refused] = (await audited()).filter(({ details }) => details["code"] === "SECOND_FACTOR_WRONG");
    expect(refused).toMatchObject({ action: "session.open", outcome: "refused" });
    expect(refused?.subject).toBe(robin.user.email);
  });

  it("limits what an address tries", async () => {
    const test = await withApp();
    const tickets = [await test.getTicket()];
    for (let people = 0; people < 3; people++) {
      const { user, post } = await test.as();
      await setUpTotp(test, { user, post });
      const { email, password } = user;
      const login = await test.call("POST", "/v1/users/login", { body: { email, password } });
      tickets.push(login.json<Refused>().details.ticket);
    }
    const answers: number[] = [];
    for (const ticket of tickets)
      for (let times = 0; times < 6; times++) answers.push((await test.confirm({ ticket, code: WRONG })).statusCode);
    expect(answers.indexOf(429)).toBe(20);
  });

  it("does not count codes that work", async () => {
    const { confirm, clock } = await withApp();
    for (let times = 0; times < wrongCodesOfAccount.max + 1; times++) {
      await clock.advance(30_000);
      expect((await confirm({})).statusCode).toBe(200);
    }
  });

  it("lets a known browser in while others guess", async () => {
    const { confirm, clock, getTicket } = await withApp();
    const { browser_token } = (await confirm({})).json<{ browser_token: string }>();
    const ticket = await getTicket();
    for (let times = 0; times <= wrongCodesOfAccount.max; times++) await confirm({ ticket, code: WRONG });
    await clock.advance(30_000);
    expect((await confirm({ ticket })).statusCode).toBe(429);
    expect((await confirm({ ticket, browser_token })).statusCode).toBe(200);
    for (let times = 0; times < wrongCodesOfBrowser.max; times++)
      await confirm({ ticket, browser_token, code: WRONG }, `192.0.2.${times}`);
    expect((await confirm({ ticket, browser_token }, "198.51.100.9")).statusCode).toBe(429);
  });

  it("refuses the pages of others", async () => {
    const { call } = await withApp();
    const headers = { origin: "https://evil.example" };
    const body = { ticket: "", method: "totp", code: "" };
    for (const path of ["", "/totp", "/totp/begin"])
      expect(outcomeOf(await call("POST", `/v1/users/login/second-factor${path}`, { headers, body }))).toBe(
        "403 ORIGIN_NOT_ALLOWED",
      );
  });

  it("takes no ticket from a page that another organization allows", async () => {
    const { as, call, app, getTicket } = await withApp();
    const kim = await as({ role: "manager" });
    const origin = "https://portal.example";
    const rules = { allowed_origins: [origin], password: kim.user.password };
    await kim.put(`/v1/organizations/${kim.user.organization_uuid}/sign-in-rules`, rules);
    const body = { ticket: await getTicket(), method: "totp", code: app.code() };
    const confirmed = await call("POST", "/v1/users/login/second-factor", { headers: { origin }, body });
    expect(outcomeOf(confirmed)).toBe("410 SECOND_FACTOR_EXPIRED");
  });
});
