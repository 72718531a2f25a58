import { limits, type Puzzle } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { JobWorker } from "../../platform/jobs/worker.ts";
import { createLog } from "../../platform/log.ts";
import { createTestApp, testSettings } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { siteVerify } from "../bot-check/testing/site-verify.ts";
import { solvePuzzle } from "../bot-check/testing/solve-puzzle.ts";
import { upsertGateway } from "../instances/gateways.ts";
import { addUser } from "../users/add-user.ts";
import { deleteOldSignUps, mailSignUpLink } from "./accounts.jobs.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const EMAIL = "ines@northwind.example";
const PASSWORD = "a better horse 2";

/** A service where people sign up and read their mails. */
async function signUps(options: Parameters<typeof createTestApp>[0] = { publicUrl: "https://devices.example" }) {
  const test = await createTestApp(options);
  const { db, clock, audit, call } = test;
  const log = createLog("silent", "test");
  const worker = new JobWorker({ db, clock, log, jobs: [mailSignUpLink], deps: { db, clock, audit } });
  const mails = async () => {
    await worker.runDue();
    const { rows } = await sql<{ to_address: string; subject: string; text: string; html: string }>`
      SELECT to_address, subject, text, html FROM mails ORDER BY created_at`.execute(db);
    return rows;
  };
  const solved = async () => solvePuzzle((await call("GET", "/v1/users/puzzle")).json<Puzzle>());
  const signUp = async (
    fields: object = {},
    { path = "/v1/users", ...more }: { path?: string; from?: string } = {},
  ) => {
    const body = { email: EMAIL, password: PASSWORD, turnstileCaptcha_token: await solved(), ...fields };
    return call("POST", path, { body, ...more });
  };
  const resend = (email = EMAIL, more: Parameters<typeof call>[2] = {}) =>
    call("POST", "/v1/users/activate/resend", { body: { email }, ...more });
  const activate = (key: string) => call("GET", `/v1/users/activate/${key}`);
  const keys = async () => (await mails()).flatMap(({ text }) => /signup-confirm\?key=([\w-]+)/.exec(text)?.[1] ?? []);
  /** The key of the link that is mailed because of a request. */
  const keyOf = async (request: () => ReturnType<typeof call>): Promise<string> => {
    const before = await keys();
    const answer = await request();
    if (answer.statusCode >= 300) throw new Error(answer.body);
    return (await keys()).find((key) => !before.includes(key)) ?? "";
  };
  return {
    ...test,
    mails,
    signUp,
    resend,
    activate,
    keyOf,
    /** Signs up, and confirms the address. */
    join: async (fields: object = {}) => activate(await keyOf(() => signUp(fields))),
    login: (password = PASSWORD, email = EMAIL) => call("POST", "/v1/users/login", { body: { email, password } }),
  };
}

/** As `session/guards.test.ts` of the web app tries for its pages. */
it.each([
  ["/recipes?a=b#c", "&redirect=%2Frecipes%3Fa%3Db%23c"],
  ["https://evil.example", ""],
  ["//evil.example", ""],
  ["/\\evil.example", ""],
  ["/\t/evil.example", ""],
  ["/\n/evil.example", ""],
  ["javascript:alert(1)", ""],
])("mails a link that leads on to %j only if that is a page of ours", async (redirect, carried) => {
  const { signUp, mails, call } = await signUps();
  const query = `?redirect=${encodeURIComponent(redirect)}`;
  expect((await signUp({}, { path: `/v1/users${query}` })).statusCode).toBe(201);
  const resent = await call("POST", `/v1/users/activate/resend${query}`, { body: { email: EMAIL } });
  expect(resent.statusCode).toBe(204);
  const links = (await mails()).map(({ text }) => /signup-confirm\?key=[\w-]+(\S*)/.exec(text)?.[1]);
  expect(links).toEqual([carried, carried]);
});

it("leads somebody who has an account on to where they were going, too", async () => {
  const { signUp, mails, join } = await signUps();
  await join();
  await signUp({}, { path: "/v1/users?redirect=%2Frecipes" });
  expect((await mails()).at(-1)?.text).toContain("https://devices.example/signin?redirect=%2Frecipes");
});

describe("POST /v1/users", () => {
  it("mails a link to confirm the address, and makes no account yet", async () => {
    const { signUp, mails, db, login } = await signUps();
    const answer = await signUp({ email: ` ${EMAIL.toUpperCase()} `, organization_name: "Northwind" });
    expect([answer.statusCode, answer.json()]).toEqual([201, { user: { email: EMAIL, is_validated: false } }]);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to_address: EMAIL, subject: "Confirm your email address for Terrarium" });
    expect(mail?.text).toContain("for the organization Northwind");
    const link = /https:\/\/devices\.example\/signup-confirm\?key=[\w-]{43}/;
    expect(mail?.text).toMatch(link);
    expect(mail?.html).toMatch(link);
    expect(await db.selectFrom("users").selectAll().execute()).toEqual([]);
    expect(await db.selectFrom("organizations").selectAll().execute()).toEqual([]);
    expect(outcomeOf(await login())).toBe("401 BAD_USERNAME_PASSWORD");
  });

  it("takes a trailing slash, and a query of whatever parameters", async () => {
    const { signUp } = await signUps();
    for (const path of ["/v1/users/", "/v1/users?utm_source=x&redirect=%2Frecipes", "/v1/users/?utm=x&utm=y"])
      expect((await signUp({}, { path })).statusCode).toBe(201);
  });

  it("stores neither the password nor the key of the link", async () => {
    const { signUp, keyOf, db } = await signUps();
    const key = await keyOf(signUp);
    const { rows } = await sql`SELECT sign_ups::text, sign_up_links::text FROM sign_ups, sign_up_links`.execute(db);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(key);
    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
  });

  it("answers alike for an address that has an account, writes the same, and tells its owner by mail", async () => {
    const { signUp, mails, as, db } = await signUps();
    const { user } = await as();
    const ours = () => sql`SELECT name, payload - 'requestId' - 'address' - 'signUp' AS payload FROM jobs`.execute(db);
    const answer = await signUp({ email: user.email });
    expect([answer.statusCode, answer.json()]).toEqual([201, { user: { email: user.email, is_validated: false } }]);
    // All that differs is done later.
    expect((await ours()).rows).toEqual([
      { name: "mail-sign-up-link", payload: { email: user.email, origin: "https://devices.example" } },
    ]);
    expect(await db.selectFrom("sign_ups").select("email").execute()).toEqual([{ email: user.email }]);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to_address: user.email, subject: "You have a Terrarium account already" });
    expect(mail?.text).toContain("https://devices.example/signin");
    expect(mail?.text).not.toContain("key=");
    expect(await db.selectFrom("sign_ups").selectAll().execute()).toEqual([]);
  });

  it("takes the address of its links from the settings, whatever a request says of itself", async () => {
    const { signUp, resend, mails } = await signUps({});
    await signUp();
    await resend(EMAIL, { headers: { host: "evil.example", "x-forwarded-host": "evil.example" } });
    for (const mail of await mails()) {
      expect(mail.text).toContain("http://localhost:0/signup-confirm?key=");
      expect(`${mail.text}${mail.html}`).not.toContain("evil");
    }
  });

  it.each([
    [{ email: "x@mailinator.com" }, "400 DISPOSABLE_EMAIL", "You may not use a disposable email."],
    [{ email: "x@a.mailinator.com" }, "400 DISPOSABLE_EMAIL", "You may not use a disposable email."],
    [{ email: "ines" }, "400 invalid_request", "Use a valid email address"],
    [{ password: "short 1" }, "400 invalid_request", "Use 8 characters or more"],
    [{ password: `1${"a".repeat(128)}` }, "400 invalid_request", "Use up to 128 characters"],
    [{ password: "12345678" }, "400 invalid_request", "Use at least one letter"],
    [{ password: "abcdefgh" }, "400 invalid_request", "Use at least one number"],
    [{ password: "Password123" }, "400 PASSWORD_TOO_COMMON", "This password is too common"],
    [{ organization_name: "\u202Eevil" }, "400 invalid_request", "Use characters that can be seen"],
    [{ organization_name: "x".repeat(251) }, "400 invalid_request", "organization_name"],
    [{ instances_zone: "the moon" }, "400 invalid_request", "instances_zone"],
    [{ turnstileCaptcha_token: undefined }, "400 invalid_request", "turnstileCaptcha_token"],
    [{ turnstileCaptcha_token: "XXXX.DUMMY.TOKEN.XXXX" }, "400 BOT_CHECK_FAILED", "robot"],
    [{ turnstileCaptcha_token: "" }, "400 BOT_CHECK_FAILED", "robot"],
  ])("refuses %j", async (fields, outcome, sentence) => {
    const { signUp, mails, db } = await signUps();
    const answer = await signUp(fields);
    expect(outcomeOf(answer)).toBe(outcome);
    expect(answer.body).toContain(sentence);
    expect(await mails()).toEqual([]);
    expect(await db.selectFrom("sign_ups").selectAll().execute()).toEqual([]);
  });

  it("takes the zones in which devices can run: that which is named for an organization, or one of them", async () => {
    const { db, signUp } = await signUps();
    await upsertGateway(db, "here", "127.0.0.1:1", ["north america"]);
    const named = { organization_name: "Northwind" };
    expect(outcomeOf(await signUp({ ...named, instances_zone: "europe" }))).toBe("503 ZONE_NOT_AVAILABLE");
    expect(outcomeOf(await signUp({ ...named, instances_zone: "north america" }))).toBe("201");
    expect(outcomeOf(await signUp({ instances_zone: "europe" }))).toBe("201");
    await db.deleteFrom("sign_ups").execute();
    expect(outcomeOf(await signUp(named))).toBe("201");
    await db.deleteFrom("gateways").execute();
    expect(outcomeOf(await signUp(named))).toBe("201");
    const rows = await db.selectFrom("sign_ups").select("zone").orderBy("zone").execute();
    expect(rows.map(({ zone }) => zone)).toEqual(["europe", "north america"]);
  });

  it("wants another solution each time", async () => {
    const { call, signUp } = await signUps();
    const turnstileCaptcha_token = await solvePuzzle((await call("GET", "/v1/users/puzzle")).json<Puzzle>());
    expect(outcomeOf(await signUp({ turnstileCaptcha_token }))).toBe("201");
    expect(outcomeOf(await signUp({ turnstileCaptcha_token }))).toBe("400 BOT_CHECK_FAILED");
  });

  it("asks Turnstile instead where it is set up, which takes each token once", async () => {
    const spent = new Set<string>();
    const { url, asked } = await siteVerify(({ response = "" }) => {
      const success = response.startsWith("good") && !spent.has(response);
      spent.add(response);
      return { success, ...(!success && { "error-codes": ["timeout-or-duplicate"] }) };
    });
    const { call, db } = await signUps({
      publicUrl: "https://devices.example",
      botCheck: { puzzleCost: 1, turnstile: { secretKey: "s3cret", url } },
    });
    const signUp = async (turnstileCaptcha_token: string) =>
      outcomeOf(
        await call("POST", "/v1/users", { body: { email: EMAIL, password: PASSWORD, turnstileCaptcha_token } }),
      );
    expect(await signUp("bad")).toBe("400 BOT_CHECK_FAILED");
    expect(await signUp("good 1")).toBe("201");
    expect(await signUp("good 1")).toBe("400 BOT_CHECK_FAILED");
    expect(asked.map(({ secret, remoteip }) => `${secret} ${remoteip}`)).toEqual(Array(3).fill("s3cret 127.0.0.1"));
    expect(await db.selectFrom("sign_ups").select("email").execute()).toEqual([{ email: EMAIL }]);
    expect(outcomeOf(await call("GET", "/v1/users/puzzle"))).toBe("404 ROUTE_NOT_FOUND");
  });

  it("sends nobody more than five links an hour, and says so for addresses with an account too", async () => {
    const { signUp, resend, as, clock, mails } = await signUps();
    for (const email of [EMAIL, (await as()).user.email]) {
      for (let index = 0; index < limits.mailedLinksPerHour; index++) {
        const from = `192.0.2.${index}`;
        const answer = index === 0 ? await signUp({ email }, { from }) : await resend(email, { from });
        expect(answer.statusCode).toBeLessThan(300);
      }
      const refused = [await resend(email, { from: "192.0.2.9" }), await signUp({ email }, { from: "192.0.2.9" })];
      expect(refused.map(outcomeOf)).toEqual(["429 TOO_MANY_REQUESTS", "429 TOO_MANY_REQUESTS"]);
      expect(refused[0]?.headers["retry-after"]).toBe("3600");
    }
    expect((await mails()).filter(({ to_address }) => to_address === EMAIL)).toHaveLength(5);
    await clock.advance(60 * 60_000);
    expect(outcomeOf(await resend())).toBe("204");
  });

  it("notes a sign-up and the mail about it, and does nothing where nobody signed up", async () => {
    const { signUp, resend, db, mails, audited } = await signUps();
    await signUp();
    await resend("nobody@northwind.example");
    expect((await mails()).map(({ to_address }) => to_address)).toEqual([EMAIL]);
    const noted = (await audited()).map(({ action }) => action);
    expect(noted).toContain("user.sign_up");
    expect(noted.filter((action) => action === "user.mail_activation_link")).toHaveLength(1);
    const { rows } = await sql`SELECT DISTINCT last_error FROM jobs`.execute(db);
    expect(rows).toEqual([{ last_error: null }]);
  });

  it("lets one client ask for twenty an hour", async () => {
    const { signUp } = await signUps();
    const from = "192.0.2.1";
    const email = (index: number) => `person${index}@northwind.example`;
    for (let index = 0; index < 20; index++)
      expect((await signUp({ email: email(index) }, { from })).statusCode).toBe(201);
    expect(outcomeOf(await signUp({ email: email(20) }, { from }))).toBe("429 TOO_MANY_REQUESTS");
    expect(outcomeOf(await signUp({ email: email(20) }, { from: "192.0.2.2" }))).toBe("201");
  });

  it("refuses the pages of others", async () => {
    const { call, resend } = await signUps();
    const headers = { origin: "https://evil.example" };
    const body = { email: EMAIL, password: PASSWORD, turnstileCaptcha_token: "x" };
    expect(outcomeOf(await call("POST", "/v1/users", { body, headers }))).toBe("403 ORIGIN_NOT_ALLOWED");
    expect(outcomeOf(await call("GET", "/v1/users/activate/x", { headers }))).toBe("403 ORIGIN_NOT_ALLOWED");
    expect(outcomeOf(await resend(EMAIL, { headers }))).toBe("403 ORIGIN_NOT_ALLOWED");
  });
});

describe("GET /v1/users/activate/:key", () => {
  it("makes a manager of a new organization in the chosen zone, who can sign in", async () => {
    const { join, login, call, audited } = await signUps();
    const zone = { organization_name: " Northwind ", instances_zone: "north america", tnc_accepted: true };
    const answer = await join(zone);
    expect(answer.statusCode).toBe(200);
    const user = answer.json();
    expect(user).toMatchObject({
      email: EMAIL,
      is_organization_manager: true,
      is_validated: true,
      tnc_accepted: true,
      organization: { name: "Northwind" },
    });
    const signedIn = (await login()).json();
    expect(signedIn.user).toEqual(user);
    const headers = { authorization: `Bearer ${signedIn.token}` };
    const { uuid } = user.organization;
    expect((await call("GET", `/v1/organizations/${uuid}`, { headers })).json()).toMatchObject({
      name: "Northwind",
      license: { instances: { zone: "north america" } },
    });
    const records = (await audited()).filter(({ action }) => action.endsWith(".create"));
    expect(records).toMatchObject([
      { action: "organization.create", outcome: "done", subject: `organization ${uuid}` },
      { action: "user.create", outcome: "done", details: { role: "manager" } },
    ]);
    expect(new Set(records.map(({ actor }) => actor))).toEqual(new Set([EMAIL]));
  });

  it.each([{}, { organization_name: "" }])("makes a guest of whoever names no organization: %j", async (fields) => {
    const { join, login } = await signUps();
    const guest = { is_organization_manager: false, organization: null, tnc_accepted: false };
    expect((await join(fields)).json()).toMatchObject(guest);
    expect((await login()).json().user).toMatchObject(guest);
  });

  it("makes an organization of its own for whoever names one that exists", async () => {
    const { join, db } = await signUps();
    const other = await anOrganization(db, { name: "Northwind" });
    const { organization } = (await join({ organization_name: "Northwind" })).json();
    expect(organization).toMatchObject({ name: "Northwind" });
    expect(organization.uuid).not.toBe(other);
  });

  it.each(["x", "a".repeat(43), "%00", "..%2f"])("does not know the key %s", async (key) => {
    const { activate } = await signUps();
    expect(outcomeOf(await activate(key))).toBe("404 ACTIVATION_LINK_INVALID");
  });

  it("works once, also for two at the same moment, and the other links of the address not at all then", async () => {
    const { signUp, resend, keyOf, activate, db, login } = await signUps();
    const first = await keyOf(() => signUp({ organization_name: "Northwind" }));
    const second = await keyOf(resend);
    const third = await keyOf(() => signUp({ password: "not the horse 3", organization_name: "A stranger’s" }));
    const answers = await Promise.all([activate(first), activate(second)]);
    expect(answers.map(outcomeOf).toSorted()).toEqual(["200", "409 ACTIVATION_LINK_USED"]);
    for (const key of [first, second, third]) expect(outcomeOf(await activate(key))).toBe("409 ACTIVATION_LINK_USED");
    expect(await db.selectFrom("organizations").select("name").execute()).toEqual([{ name: "Northwind" }]);
    expect([await login(), await login("not the horse 3")].map(outcomeOf)).toEqual([
      "200",
      "401 BAD_USERNAME_PASSWORD",
    ]);
    expect(await db.selectFrom("sign_ups").selectAll().execute()).toEqual([]);
  });

  it.each([14, 0])(
    "gives a new organization %i days to try it; with none its minutes are all that ends",
    async (days) => {
      const publicSettings = { ...testSettings, offer: { ...testSettings.offer, trial: { minutes: 60, days } } };
      const { join, clock, db } = await signUps({ publicSettings });
      await join({ organization_name: "Northwind" });
      const { license_expires_at } = await db.selectFrom("organizations").selectAll().executeTakeFirstOrThrow();
      expect(license_expires_at).toEqual(days > 0 ? new Date(clock.now() + days * DAY_MS) : null);
    },
  );

  it("records a guest, and a manager of a new organization, as what they are", async () => {
    const { join, audited } = await signUps();
    await join();
    await join({ email: "manager@northwind.example", organization_name: "Northwind" });
    const created = (await audited()).filter(({ action }) => action === "user.create");
    expect(created.map(({ details }) => details)).toEqual([{ role: "guest" }, { role: "manager" }]);
  });

  it("confirms the sign-up whose link it is, not the last one", async () => {
    const { signUp, keyOf, activate, login } = await signUps();
    const first = await keyOf(signUp);
    await signUp({ password: "not the horse 3" });
    expect((await activate(first)).statusCode).toBe(200);
    expect(outcomeOf(await login())).toBe("200");
  });

  it("says so where the operator added the person meanwhile", async () => {
    const { signUp, keyOf, activate, operator, login } = await signUps();
    const key = await keyOf(() => signUp({ organization_name: "Northwind" }));
    await addUser(operator, { email: EMAIL, password: "by the operator 1", organization: "Mossworks", manager: false });
    expect(outcomeOf(await activate(key))).toBe("409 ACTIVATION_LINK_USED");
    expect([await login(), await login("by the operator 1")].map(outcomeOf)).toEqual([
      "401 BAD_USERNAME_PASSWORD",
      "200",
    ]);
  });

  it("works for a week, even if its mail took three days, and says then for whom another can be mailed", async () => {
    const { signUp, resend, keyOf, activate, clock } = await signUps();
    const late = await keyOf(signUp);
    const early = await keyOf(() => signUp({ email: "kim@northwind.example" }));
    await clock.advance(limits.activationLinkDays * DAY_MS - 1);
    expect(outcomeOf(await activate(early))).toBe("200");
    await clock.advance(1);
    expect(outcomeOf(await activate(early))).toBe("409 ACTIVATION_LINK_USED");
    const answer = await activate(late);
    expect([outcomeOf(answer), answer.json().details]).toEqual(["410 LINK_EXPIRED", { email: EMAIL }]);
    expect(outcomeOf(await activate(await keyOf(resend)))).toBe("200");
  });
});

describe("POST /v1/users/activate/resend", () => {
  it("mails another link for the last sign-up", async () => {
    const { signUp, resend, keyOf, activate, login, clock } = await signUps();
    await signUp({ password: "not the horse 3" });
    await clock.advance(1000);
    await signUp();
    const third = await keyOf(() => resend(` ${EMAIL.toUpperCase()}`));
    expect(outcomeOf(await activate(third))).toBe("200");
    expect(outcomeOf(await login())).toBe("200");
  });

  it("answers alike for an address with which nobody has signed up, writes the same, and mails nothing", async () => {
    const { resend, mails, db } = await signUps();
    const answer = await resend("nobody@northwind.example");
    expect([answer.statusCode, answer.body]).toEqual([204, ""]);
    expect((await sql`SELECT name FROM jobs`.execute(db)).rows).toEqual([{ name: "mail-sign-up-link" }]);
    expect(await mails()).toEqual([]);
  });
});

describe("POST /v1/users/login, before the address is confirmed", () => {
  it("answers alike whether the address has an account or not, also to whoever has signed up with it", async () => {
    const { signUp, login, as } = await signUps();
    const { user } = await as();
    await signUp();
    await signUp({ email: user.email });
    const answers = [await login(), await login(PASSWORD, user.email), await login("a worse horse 2")];
    expect(answers.map(outcomeOf)).toEqual(Array(3).fill("401 BAD_USERNAME_PASSWORD"));
  });

  it("does not let a sign-up with somebody's address sign in to their account", async () => {
    const { signUp, login, as } = await signUps();
    const { user } = await as();
    await signUp({ email: user.email });
    expect(outcomeOf(await login(PASSWORD, user.email))).toBe("401 BAD_USERNAME_PASSWORD");
    expect(outcomeOf(await login(user.password, user.email))).toBe("200");
  });
});

it("sign-ups that nobody confirms are forgotten after 30 days", async () => {
  const { signUp, keyOf, activate, resend, mails, clock, db } = await signUps();
  const key = await keyOf(signUp);
  await clock.advance(30 * DAY_MS);
  await deleteOldSignUps.run({ db, clock });
  expect(outcomeOf(await activate(key))).toBe("410 LINK_EXPIRED");
  await clock.advance(1);
  await deleteOldSignUps.run({ db, clock });
  expect(outcomeOf(await activate(key))).toBe("404 ACTIVATION_LINK_INVALID");
  expect(await db.selectFrom("sign_ups").selectAll().execute()).toEqual([]);
  await resend();
  expect(await mails()).toHaveLength(1);
});
