import type { Puzzle } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createLog } from "../../platform/log.ts";
import { JobWorker } from "../../platform/jobs/worker.ts";
import { smtpMailer } from "../../platform/mail/mailer.ts";
import { sendMailJob } from "../../platform/mail/send-mail.ts";
import { SMTP_PASSWORD, startSmtp } from "../../platform/mail/testing/smtp-server.ts";
import { createTestApp } from "../../testing/app.ts";
import { solvePuzzle } from "../bot-check/testing/solve-puzzle.ts";
import { resetPassword } from "../users/manage-user.ts";
import { deleteOldPasswordLinks, mailPasswordLink } from "./passwords.jobs.ts";

const HOUR_MS = 60 * 60 * 1000;
const NEW = "a better horse 2";

/** Somebody who forgot their password. */
async function forgetful(options: Parameters<typeof createTestApp>[0] = { publicUrl: "https://devices.example" }) {
  const test = await createTestApp(options);
  const { db, clock, audit, call } = test;
  const robin = await test.as();
  const { email, password } = robin.user;
  const log = createLog("silent", "test");
  const worker = new JobWorker({ db, clock, log, jobs: [mailPasswordLink], deps: { db, clock, audit } });
  const mails = async () => {
    await worker.runDue();
    const { rows } = await sql<{ to_address: string; subject: string; text: string; html: string }>`
      SELECT to_address, subject, text, html FROM mails ORDER BY created_at`.execute(db);
    return rows;
  };
  const keysIn = async () => (await mails()).flatMap(({ text }) => /\/new\/([\w-]+)/.exec(text)?.[1] ?? []);
  const ask = (to: string, more: Parameters<typeof call>[2] = {}) =>
    call("POST", "/v1/users/password/request", { body: { email: to }, ...more });
  return {
    ...test,
    robin,
    email,
    password,
    mails,
    ask,
    check: (key: string) => call("GET", `/v1/users/password/reset/${key}`),
    reset: (reset_key: string, new_password = NEW) =>
      call("PUT", "/v1/users/password/reset", { body: { reset_key, new_password } }),
    login: async (typed: string) =>
      (await call("POST", "/v1/users/login", { body: { email, password: typed } })).statusCode,
    /** Asks for a link; returns the key of the last one that was mailed. */
    async link(): Promise<string> {
      const answer = await ask(email);
      if (answer.statusCode !== 204) throw new Error(answer.body);
      return (await keysIn()).at(-1) ?? "";
    },
  };
}
const codeOf = ({ statusCode, body }: { statusCode: number; body: string }) => [
  statusCode,
  (JSON.parse(body) as { code?: string }).code,
];
const expired = [410, "LINK_EXPIRED"];

describe("POST /v1/users/password/request", () => {
  it("mails a link that leads to the page for a new password", async () => {
    const { ask, mails, email, audited } = await forgetful();
    const answer = await ask(` ${email.toUpperCase()} `);
    expect([answer.statusCode, answer.body]).toEqual([204, ""]);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to_address: email, subject: "Set a new password for Terrarium" });
    const link = /https:\/\/devices\.example\/password-reset\/new\/[\w-]{43}/;
    expect(mail?.text).toMatch(link);
    expect(mail?.html).toMatch(link);
    expect((await audited()).map(({ action }) => action)).toContain("user.mail_password_link");
  });

  it.each([
    ["nobody has", { email: "somebody.else@fernworks.test" }],
    ["belongs to somebody who was disabled", { is_enabled: false }],
    ["belongs to somebody who was invited, and has not accepted", { is_validated: false }],
  ])("answers alike for an address that %s, writes the same, and mails nothing", async (_, fields) => {
    const { ask, mails, email, db } = await forgetful();
    await db.updateTable("users").set(fields).where("email", "=", email).execute();
    const answer = await ask(email);
    expect([answer.statusCode, answer.body]).toEqual([204, ""]);
    // All that differs is done later.
    const { rows } = await sql`SELECT name FROM jobs`.execute(db);
    expect(rows).toEqual([{ name: "mail-password-link" }]);
    expect(await mails()).toEqual([]);
    const { rows: after } = await sql`SELECT state, last_error FROM jobs`.execute(db);
    expect(after).toEqual([{ state: "done", last_error: null }]);
  });

  it("takes the address of its links from the settings, whatever a request says of itself", async () => {
    const { ask, mails, email } = await forgetful({});
    await ask(email, { headers: { host: "evil.example", "x-forwarded-host": "evil.example" } });
    const [mail] = await mails();
    expect(mail?.text).toContain("http://localhost:0/password-reset/new/");
    expect(`${mail?.text}${mail?.html}`).not.toContain("evil");
  });

  it("mails nobody more than five links an hour, and says so for unknown addresses too", async () => {
    const { ask, clock, mails, email } = await forgetful();
    for (const address of [email, "nobody@fernworks.test"]) {
      for (let index = 0; index < 5; index++)
        expect((await ask(address, { from: `192.0.2.${index}` })).statusCode).toBe(204);
      const refused = await ask(address, { from: "192.0.2.9" });
      expect([...codeOf(refused), refused.headers["retry-after"]]).toEqual([429, "TOO_MANY_REQUESTS", "3600"]);
    }
    expect(await mails()).toHaveLength(5);
    await clock.advance(HOUR_MS);
    expect((await ask(email)).statusCode).toBe(204);
  });

  it("lets one client ask for ten an hour, and for twenty if it shows that it is no program", async () => {
    const { ask, call } = await forgetful();
    const from = "192.0.2.1";
    const proven = async (email: string) => {
      const turnstileCaptcha_token = await solvePuzzle((await call("GET", "/v1/users/puzzle")).json<Puzzle>());
      return ask(email, { from, body: { email, turnstileCaptcha_token } });
    };
    for (let index = 0; index < 10; index++) expect((await ask(`${index}@fern.test`, { from })).statusCode).toBe(204);
    expect(codeOf(await ask("one@fern.test", { from }))).toEqual([400, "BOT_CHECK_FAILED"]);
    expect((await ask("one@fern.test", { from: "192.0.2.2" })).statusCode).toBe(204);
    for (let index = 10; index < 20; index++) expect((await proven(`${index}@fern.test`)).statusCode).toBe(204);
    expect(codeOf(await proven("two@fern.test"))).toEqual([429, "TOO_MANY_REQUESTS"]);
  });

  it("refuses a proof that is none, and one that was used", async () => {
    const { ask, email, call, mails } = await forgetful();
    const forged = await ask(email, { body: { email, turnstileCaptcha_token: "forged" } });
    expect(codeOf(forged)).toEqual([400, "BOT_CHECK_FAILED"]);
    const body = { email, turnstileCaptcha_token: await solvePuzzle((await call("GET", "/v1/users/puzzle")).json()) };
    expect((await ask(email, { body })).statusCode).toBe(204);
    expect(codeOf(await ask(email, { body }))).toEqual([400, "BOT_CHECK_FAILED"]);
    expect(await mails()).toHaveLength(1);
  });

  it("refuses the pages of others", async () => {
    const { ask, email } = await forgetful();
    expect(codeOf(await ask(email, { headers: { origin: "https://evil.example" } }))).toEqual([
      403,
      "ORIGIN_NOT_ALLOWED",
    ]);
  });
});

describe("GET /v1/users/password/reset/:key", () => {
  it("says whose password the link is for, as often as it is asked", async () => {
    const { link, check, email } = await forgetful();
    const key = await link();
    for (let times = 0; times < 2; times++) {
      const answer = await check(key);
      expect([answer.statusCode, answer.json()]).toEqual([200, { email }]);
    }
  });

  it("stores no key, only its hash", async () => {
    const { link, db } = await forgetful();
    const key = await link();
    const { rows } = await sql<{ row: string }>`SELECT password_links::text AS row FROM password_links`.execute(db);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  it.each(["x", "a".repeat(43), "%00", "..%2f"])("does not know the key %s", async (key) => {
    const { check } = await forgetful();
    expect(codeOf(await check(key))).toEqual(expired);
  });
});

describe("PUT /v1/users/password/reset", () => {
  it("sets the password and ends all sessions, but not the API tokens; says so in a mail and a record", async () => {
    const { link, reset, login, password, robin, call, mails, email, audited } = await forgetful();
    const made = await robin.post("/v1/api-tokens", { description: "ci" });
    const byToken = { headers: { "x-api-token": made.json<{ token: string }>().token } };
    const answer = await reset(await link());
    expect([answer.statusCode, answer.body]).toEqual([204, ""]);
    expect([await login(password), await login(NEW)]).toEqual([401, 200]);
    expect((await robin.get("/v2/instances")).statusCode).toBe(401);
    expect((await call("GET", "/v2/instances", byToken)).statusCode).toBe(200);
    expect((await mails()).at(-1)).toMatchObject({ to_address: email, subject: "Your Terrarium password was changed" });
    const [record] = (await audited()).filter(({ action }) => action === "user.reset_password");
    expect(record).toMatchObject({ outcome: "done", actor: "nobody", details: { sessions: 1, by: "link" } });
  });

  it("names in that mail with what else one can sign in: whoever read the mails may have linked it", async () => {
    const { link, reset, robin, mails, db } = await forgetful();
    const uuid = "00000000-0000-4000-8000-000000000001";
    const now = new Date("2026-03-01");
    await db
      .insertInto("identities")
      .values({
        uuid,
        user_uuid: robin.user.uuid,
        issuer: "https://moss.example",
        subject: "1",
        provider: "oidc",
        label: "Moss",
        email: "stranger@moss.example",
        created_at: now,
        last_used_at: now,
      })
      .execute();
    expect((await reset(await link())).statusCode).toBe(204);
    expect((await mails()).at(-1)?.text).toContain("signed in to with Moss as stranger@moss.example.");
  });

  it("works once, and voids the other links of the account", async () => {
    const { link, reset, check, login } = await forgetful();
    const [first, second] = [await link(), await link()];
    expect(first).not.toBe(second);
    expect((await reset(first)).statusCode).toBe(204);
    for (const key of [first, second]) {
      expect(codeOf(await check(key))).toEqual(expired);
      expect(codeOf(await reset(key, "yet another 3"))).toEqual(expired);
    }
    expect(await login(NEW)).toBe(200);
  });

  it("works once for two who use it at the same moment", async () => {
    const { link, reset } = await forgetful();
    const key = await link();
    const answers = await Promise.all([reset(key, "first horse 1"), reset(key, "second horse 2")]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([204, 410]);
  });

  it("works for 24 hours, and is then forgotten", async () => {
    const { link, reset, check, clock, db } = await forgetful();
    const [kept, used] = [await link(), await link()];
    await clock.advance(24 * HOUR_MS - 1);
    expect((await check(used)).statusCode).toBe(200);
    await deleteOldPasswordLinks.run({ db, clock });
    expect((await check(used)).statusCode).toBe(200);
    await clock.advance(1);
    expect(codeOf(await check(kept))).toEqual(expired);
    expect(codeOf(await reset(kept))).toEqual(expired);
    await deleteOldPasswordLinks.run({ db, clock });
    expect(await db.selectFrom("password_links").selectAll().execute()).toEqual([]);
  });

  it("is void when the password was replaced in another way", async () => {
    const { link, reset, operator, email } = await forgetful();
    const key = await link();
    await resetPassword(operator, email, "by the operator 1");
    expect(codeOf(await reset(key))).toEqual(expired);
  });

  it("does not let somebody in who was disabled", async () => {
    const { link, reset, db, email } = await forgetful();
    const key = await link();
    await db.updateTable("users").set({ is_enabled: false }).where("email", "=", email).execute();
    expect(codeOf(await reset(key))).toEqual(expired);
  });

  it.each([
    ["short 1", "invalid_request", "Use 8 characters or more"],
    ["12345678", "invalid_request", "Use at least one letter"],
    ["abcdefgh", "invalid_request", "Use at least one number"],
    [`1${"a".repeat(128)}`, "invalid_request", "Use up to 128 characters"],
    ["Password123", "PASSWORD_TOO_COMMON", "This password is too common"],
  ])("refuses the password %s, after which the link still works", async (wrong, code, sentence) => {
    const { link, reset } = await forgetful();
    const key = await link();
    const answer = await reset(key, wrong);
    expect(codeOf(answer)).toEqual([400, code]);
    expect(answer.body).toContain(sentence);
    expect((await reset(key)).statusCode).toBe(204);
  });

  it("says nothing about a password to somebody without a link", async () => {
    const { reset } = await forgetful();
    expect(codeOf(await reset("guess", "Password123"))).toEqual(expired);
  });
});

it("reaches its owner through a mail server, and the link in the mail works", async () => {
  const { db, clock, audit, ask, email, reset, login } = await forgetful();
  const smtp = await startSmtp();
  const url = `smtp://terrarium:${SMTP_PASSWORD}@127.0.0.1:${smtp.port}`;
  const mailer = smtpMailer({ url, from: { name: "Terrarium", address: "devices@terrarium.test" } });
  const jobs = [mailPasswordLink, sendMailJob];
  const worker = new JobWorker({
    db,
    clock,
    log: createLog("silent", "test"),
    jobs,
    deps: { db, clock, audit, mailer },
  });
  await ask(email);
  await worker.runDue();
  await worker.runDue();
  expect(smtp.received.map(({ to }) => to)).toEqual([[email]]);
  // Quoted-printable wraps lines and writes `=` as `=3D`.
  const content = (smtp.received[0]?.content ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
  expect(content).not.toMatch(/^Subject: .*new\//m);
  const [, key = ""] = /https:\/\/devices\.example\/password-reset\/new\/([\w-]{43})/.exec(content) ?? [];
  expect((await reset(key)).statusCode).toBe(204);
  expect(await login(NEW)).toBe(200);
  // What was sent is stored no longer.
  const { rows } = await sql<{ text: string | null }>`SELECT text FROM mails WHERE sent_at IS NOT NULL`.execute(db);
  expect(rows).toEqual([{ text: null }]);
});
