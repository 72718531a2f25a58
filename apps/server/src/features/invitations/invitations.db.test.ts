import { limits } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { anOperator } from "../../testing/operator.ts";
import { refuseOnce } from "../../testing/refuse-once.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { requireOfOrganization } from "../second-factor/for-operator.ts";
import { deleteOldInvitations } from "./invitations.jobs.ts";

const DAY_MS = 24 * 60 * 60_000;
const PASSWORD = "a better horse 2";
const NEW = "new@fernworks.test";

/** A manager who invites people, and what became of it. */
async function inviting() {
  const test = await createTestApp({ publicUrl: "https://devices.example" });
  const { db, call, as } = test;
  const manager = await as({ role: "manager", fields: { first_name: "Mara", last_name: "Lind" } });
  const organization = manager.user.organization_uuid ?? "";
  const mails = async () => {
    const { rows } = await sql<{ to_address: string; subject: string; text: string; html: string }>`
      SELECT to_address, subject, text, html FROM mails ORDER BY created_at, to_address`.execute(db);
    return rows;
  };
  const invite = (...emails: string[]) => manager.post("/v1/accounts/invites", { emails });
  const lastKey = async () => /\/join\/([\w-]{43})/.exec((await mails()).at(-1)?.text ?? "")?.[1] ?? "";
  return {
    ...test,
    manager,
    organization,
    mails,
    invite,
    lastKey,
    /** Invites one; returns the key in the mail. */
    async keyFor(email: string): Promise<string> {
      await invite(email);
      return lastKey();
    },
    look: (key: string) => call("GET", `/v2/accounts/invites/${key}`),
    accept: (key: string, body: object = { password: PASSWORD, tnc_accepted: true }, headers = {}) =>
      call("POST", `/v2/accounts/invites/${key}`, { body, headers }),
    login: async (email: string, password: string) =>
      (await call("POST", "/v1/users/login", { body: { email, password } })).statusCode,
    pending: async () =>
      (await manager.get("/v1/accounts/invites"))
        .json<{ results: { email: string }[] }>()
        .results.map(({ email }) => email),
  };
}
type Inviting = Awaited<ReturnType<typeof inviting>>;

const emailOf = ({ user }: { user: { email: string } }) => user.email;

describe("POST /v1/accounts/invites", () => {
  it("mails each address a link, with the message and who invites", async () => {
    const { manager, mails, pending, audited } = await inviting();
    const emails = [" New@Fernworks.test ", "other@fernworks.test", NEW];
    const body = { emails, optionalMessage: "Look at <this>\n\nand that." };
    const answer = await manager.post("/v1/accounts/invites", body);
    const outcome = { outcome: "invited", uuid: expect.any(String) as string };
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      { results: [NEW, "other@fernworks.test"].map((email) => ({ email, ...outcome })) },
    ]);
    const sent = await mails();
    expect(sent.map(({ to_address }) => to_address)).toEqual([NEW, "other@fernworks.test"]);
    expect(sent[0]?.subject).toBe("Mara Lind invites you to Fernworks on Terrarium");
    expect(sent[0]?.text).toMatch(/Look at <this>\n\nand that\.\n\n[^]*https:\/\/devices\.example\/join\/[\w-]{43}\n/);
    expect(sent[0]?.html).toContain("Look at &lt;this&gt;");
    expect(await pending()).toEqual([NEW, "other@fernworks.test"]);
    expect((await audited()).filter(({ action }) => action === "invitation.send")).toHaveLength(2);
  });

  it("takes the message under either name", async () => {
    const { manager, mails } = await inviting();
    await manager.post("/v1/accounts/invites", { emails: [NEW], message: "Under the other name" });
    expect((await mails())[0]?.text).toContain("Under the other name");
  });

  it("names those who are members already, and invites the others", async () => {
    const { as, organization, invite, mails } = await inviting();
    const member = emailOf(await as({ organization }));
    const answer = await invite(member, NEW);
    expect(answer.json().results).toEqual([
      { email: member, outcome: "already_member", uuid: null },
      { email: NEW, outcome: "invited", uuid: expect.any(String) as string },
    ]);
    expect(await mails()).toHaveLength(1);
    const refused = await invite(member);
    expect([outcomeOf(refused), refused.json().details]).toEqual(["409 ALREADY_MEMBERS", { emails: member }]);
  });

  it("does not tell whether another organization has the account", async () => {
    const { as, invite, mails } = await inviting();
    const elsewhere = emailOf(await as());
    const outcomes = (await invite(elsewhere, NEW)).json<{ results: { outcome: string }[] }>().results;
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["invited", "invited"]);
    expect(await mails()).toHaveLength(2);
  });

  const many = (count: number) => Array.from({ length: count }, (_, index) => `${index}@fernworks.test`);
  it.each([
    ["no address", { emails: [] }, "Required"],
    ["51 addresses", { emails: many(51) }, "Too many emails. Limit is 50."],
    ["what is no address", { emails: ["abc"] }, "Use a valid email address"],
    ["a long message", { emails: [NEW], optionalMessage: "a".repeat(501) }, "Use up to 500 characters"],
    ["a long message under the other name", { emails: [NEW], message: "a".repeat(501) }, "Use up to 500 characters"],
  ])("refuses %s", async (_, body, sentence) => {
    const { manager, mails } = await inviting();
    const answer = await manager.post("/v1/accounts/invites", body);
    expect(outcomeOf(answer)).toBe("400 invalid_request");
    expect(answer.body).toContain(sentence);
    expect(await mails()).toEqual([]);
  });

  it("is for managers", async () => {
    const { as, organization, call } = await inviting();
    const body = { emails: [NEW] };
    for (const person of [await as({ organization }), await as({ role: "guest" })])
      expect(outcomeOf(await person.post("/v1/accounts/invites", body))).toBe("403 FORBIDDEN");
    expect((await call("POST", "/v1/accounts/invites", { body })).statusCode).toBe(401);
  });

  it("mails nobody more than five times an hour", async () => {
    const { invite, clock, mails } = await inviting();
    for (let times = 0; times < 5; times++) expect((await invite(NEW)).statusCode).toBe(201);
    expect(outcomeOf(await invite(NEW))).toBe("429 TOO_MANY_REQUESTS");
    expect(await mails()).toHaveLength(5);
    await clock.advance(60 * 60_000);
    expect((await invite(NEW)).statusCode).toBe(201);
  });

  it("counts the mails to an address for all organizations together", async () => {
    const { invite, as } = await inviting();
    const other = await as({ role: "manager" });
    for (let times = 0; times < 5; times++) await other.post("/v1/accounts/invites", { emails: [NEW] });
    expect(outcomeOf(await invite(NEW))).toBe("429 TOO_MANY_REQUESTS");
  });

  it("mails 50 invitations an hour of an organization that is younger than a week", async () => {
    const { invite, db, clock } = await inviting();
    const foundedAgo = (ms: number) =>
      db
        .updateTable("organizations")
        .set({ created_at: new Date(clock.now() - ms) })
        .execute();
    await foundedAgo(7 * DAY_MS - 1);
    expect((await invite(...many(50))).statusCode).toBe(201);
    expect(outcomeOf(await invite(NEW))).toBe("429 TOO_MANY_REQUESTS");
    await foundedAgo(7 * DAY_MS);
    for (const emails of [many(50), [NEW]]) expect((await invite(...emails)).statusCode).toBe(201);
  });

  it("mails 500 invitations of an organization an hour", async () => {
    const { invite, db } = await inviting();
    await invite(NEW);
    await sql`UPDATE attempts SET count = count + 498`.execute(db);
    expect((await invite("one@fernworks.test")).statusCode).toBe(201);
    expect(outcomeOf(await invite("two@fernworks.test"))).toBe("429 TOO_MANY_REQUESTS");
  });
});

describe("an invitation that is pending", () => {
  const idsOf = async ({ manager }: Inviting) =>
    (await manager.get("/v1/accounts/invites"))
      .json<{ results: { genyid: string }[] }>()
      .results.map(({ genyid }) => genyid);

  it("can be sent again, several at once: the new links work, the former do not", async () => {
    const test = await inviting();
    const { keyFor, manager, mails, look, lastKey, clock } = test;
    const former = await keyFor(NEW);
    await test.invite("other@fernworks.test");
    await clock.advance(1000);
    const answer = await manager.post("/v1/accounts/invites/resend", { genyids: await idsOf(test) });
    expect([answer.statusCode, answer.json().results.length]).toEqual([200, 2]);
    expect(await mails()).toHaveLength(4);
    expect(outcomeOf(await look(former))).toBe("410 LINK_EXPIRED");
    expect((await look(await lastKey())).statusCode).toBe(200);
  });

  it("can be cancelled, which ends its link", async () => {
    const test = await inviting();
    const key = await test.keyFor(NEW);
    const [uuid] = await idsOf(test);
    expect((await test.manager.delete(`/v1/accounts/invites/${uuid}`)).statusCode).toBe(204);
    expect(outcomeOf(await test.manager.delete(`/v1/accounts/invites/${uuid}`))).toBe("404 INVITATION_NOT_FOUND");
    expect(outcomeOf(await test.look(key))).toBe("410 LINK_EXPIRED");
    expect(outcomeOf(await test.accept(key))).toBe("410 LINK_EXPIRED");
    expect(await test.pending()).toEqual([]);
  });

  it("is sent again, cancelled and listed without the others", async () => {
    const test = await inviting();
    await test.invite("a@fernworks.test", "b@fernworks.test", "c@fernworks.test");
    const last = (await idsOf(test))[2];
    await test.manager.post("/v1/accounts/invites/resend", { genyids: [last] });
    expect(await test.mails()).toHaveLength(4);
    const page = await test.manager.get("/v1/accounts/invites?page=2&page_size=1");
    expect(page.json()).toMatchObject({ count: 3, results: [{ email: "b@fernworks.test" }] });
    await test.manager.delete(`/v1/accounts/invites/${last}`);
    expect(await test.pending()).toEqual(["a@fernworks.test", "b@fernworks.test"]);
  });

  it("is unknown to other organizations", async () => {
    const test = await inviting();
    await test.keyFor(NEW);
    const genyids = await idsOf(test);
    const stranger = await test.as({ role: "manager" });
    const resent = await stranger.post("/v1/accounts/invites/resend", { genyids });
    expect(outcomeOf(resent)).toBe("404 INVITATION_NOT_FOUND");
    expect((await stranger.get("/v1/accounts/invites")).json().results).toEqual([]);
    expect((await stranger.delete(`/v1/accounts/invites/${genyids[0]}`)).statusCode).toBe(404);
    expect(await test.pending()).toEqual([NEW]);
  });
});

describe("GET /v2/accounts/invites/:token", () => {
  it("says what it is for", async () => {
    const { keyFor, look } = await inviting();
    const answer = await look(await keyFor(NEW));
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        email: NEW,
        organization: { name: "Fernworks" },
        inviter: { first_name: "Mara", last_name: "Lind" },
        expired: false,
        has_account: false,
      },
    ]);
  });

  it("works for 30 days, then says whom to ask, and is at last forgotten", async () => {
    const { keyFor, look, accept, clock, db, manager } = await inviting();
    const key = await keyFor(NEW);
    await clock.advance(60_000);
    const later = await keyFor("later@fernworks.test");
    await clock.advance(limits.invitationDays * DAY_MS - 60_001);
    expect((await look(key)).statusCode).toBe(200);
    await clock.advance(1);
    for (const answer of [await look(key), await accept(key)]) {
      expect(outcomeOf(answer)).toBe("410 LINK_EXPIRED");
      expect(answer.json().details).toEqual({ organization: "Fernworks", inviter: manager.user.email });
    }
    await clock.advance(limits.invitationDays * DAY_MS + 1);
    await deleteOldInvitations.run({ db, clock });
    expect((await look(key)).json().details).toBeUndefined();
    expect((await look(later)).json().details).toBeDefined();
  });

  it("says nothing of whoever invited and has no account any more", async () => {
    const { keyFor, look, clock, db } = await inviting();
    const key = await keyFor(NEW);
    await db.updateTable("invitations").set({ inviter_uuid: null }).execute();
    expect((await look(key)).json().inviter).toBeNull();
    await clock.advance(limits.invitationDays * DAY_MS);
    expect((await look(key)).json().details).toEqual({ organization: "Fernworks" });
  });

  it("stores no key, only its hash", async () => {
    const { keyFor, db } = await inviting();
    const key = await keyFor(NEW);
    const { rows } = await sql`SELECT invitations::text FROM invitations`.execute(db);
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  it.each(["x", "a".repeat(43), "%00"])("does not know the key %s", async (key) => {
    const { look, accept } = await inviting();
    expect(outcomeOf(await look(key))).toBe("410 LINK_EXPIRED");
    expect(outcomeOf(await accept(key))).toBe("410 LINK_EXPIRED");
  });

  it("refuses the pages of others", async () => {
    const { keyFor, call } = await inviting();
    const path = `/v2/accounts/invites/${await keyFor(NEW)}`;
    const headers = { origin: "https://evil.example" };
    for (const method of ["GET", "POST"] as const)
      expect(outcomeOf(await call(method, path, { headers, ...(method === "POST" ? { body: {} } : {}) }))).toBe(
        "403 ORIGIN_NOT_ALLOWED",
      );
  });
});

describe("POST /v2/accounts/invites/:token", () => {
  it("creates the account, a user of the organization, and signs it in", async () => {
    const { keyFor, accept, call, organization, login, pending, audited } = await inviting();
    const answer = await accept(await keyFor(NEW));
    expect(answer.statusCode).toBe(200);
    const { token, user } = answer.json<{ token: string; user: object }>();
    expect(user).toMatchObject({
      email: NEW,
      organization: { uuid: organization, name: "Fernworks" },
      is_organization_manager: false,
      is_validated: true,
      tnc_accepted: true,
    });
    const headers = { authorization: `Bearer ${token}` };
    expect((await call("GET", "/v2/instances", { headers })).statusCode).toBe(200);
    expect(await login(NEW, PASSWORD)).toBe(200);
    expect(await pending()).toEqual([]);
    expect((await audited()).map(({ action }) => action)).toEqual(
      expect.arrayContaining(["invitation.accept", "user.create", "session.open"]),
    );
  });

  it("knows the browser from then on, with a new password and with one that is there", async () => {
    const { as, keyFor, accept, clock } = await inviting();
    const first = (await accept(await keyFor(NEW))).json<{ browser_token: string }>().browser_token;
    expect(first).toMatch(/^[\w-]{22}\.[\w-]{22}$/);
    const { user } = await as({ role: "guest" });
    const body = { password: user.password, browser_token: first };
    await clock.advance(1000);
    const second = (await accept(await keyFor(user.email), body)).json<{ browser_token: string }>().browser_token;
    const [browser, mark] = first.split(".");
    expect(second.split(".")).toEqual([browser, expect.any(String) as string, mark]);
    await clock.advance(1000);
    const third = await accept(await keyFor("other@fernworks.test"), { password: PASSWORD, browser_token: second });
    expect(third.json<{ browser_token: string }>().browser_token.split(".")).toHaveLength(4);
  });

  it("leaves the terms to be accepted later if they were not", async () => {
    const { keyFor, accept } = await inviting();
    expect((await accept(await keyFor(NEW), { password: PASSWORD })).json().user.tnc_accepted).toBe(false);
  });

  it("works once, also for two at the same moment", async () => {
    const { keyFor, accept, look } = await inviting();
    const key = await keyFor(NEW);
    const answers = await Promise.all([accept(key), accept(key)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 410]);
    expect(outcomeOf(await look(key))).toBe("410 LINK_EXPIRED");
  });

  it("works for one of two invitations with the same address at the same moment", async () => {
    const { keyFor, accept, db } = await inviting();
    await refuseOnce(db, "users", "users_email_key");
    expect(outcomeOf(await accept(await keyFor(NEW)))).toBe("410 LINK_EXPIRED");
  });

  it("works once for two of a guest who is signed in, at the same moment", async () => {
    const { as, keyFor, accept, db } = await inviting();
    const guest = await as({ role: "guest" });
    const key = await keyFor(emailOf(guest));
    const { both } = await db.transaction().execute(async (trx) => {
      await trx.selectFrom("users").select("uuid").where("uuid", "=", guest.user.uuid).forUpdate().execute();
      const joining = Promise.all([accept(key, {}, guest.headers), accept(key, {}, guest.headers)]);
      await untilBlocked(db, 2);
      return { both: joining };
    });
    expect((await both).map(outcomeOf).toSorted()).toEqual(["200", "410 LINK_EXPIRED"]);
  });

  it.each([
    ["short 1", "400 invalid_request", "Use 8 characters or more"],
    ["abcdefgh", "400 invalid_request", "Use at least one number"],
    ["Password123", "400 PASSWORD_TOO_COMMON", "This password is too common"],
  ])("refuses the password %s, after which the link still works", async (password, outcome, sentence) => {
    const { keyFor, accept } = await inviting();
    const key = await keyFor(NEW);
    const answer = await accept(key, { password });
    expect(outcomeOf(answer)).toBe(outcome);
    expect(answer.body).toContain(sentence);
    expect((await accept(key)).statusCode).toBe(200);
  });

  it("lets a guest join with the password that they have, and no other", async () => {
    const { as, keyFor, look, accept, organization, db, audited } = await inviting();
    const guest = await as({ role: "guest" });
    const key = await keyFor(emailOf(guest));
    expect((await look(key)).json().has_account).toBe(true);
    // Whoever has the link alone could otherwise take the account over.
    expect(outcomeOf(await accept(key))).toBe("401 BAD_USERNAME_PASSWORD");
    const joined = await accept(key, { password: guest.user.password });
    expect([joined.statusCode, joined.json().user]).toMatchObject([
      200,
      { uuid: guest.user.uuid, organization: { uuid: organization }, is_organization_manager: false },
    ]);
    expect(await db.selectFrom("invitations").selectAll().execute()).toEqual([]);
    expect((await audited()).map(({ action }) => action)).toContain("invitation.accept");
  });

  it("lets people join an organization that requires a second factor when they have set one up", async () => {
    const { keyFor, accept, as, clock, operator, organization } = await inviting();
    const [guest, kim] = [await as({ role: "guest" }), await as({ role: "guest" })];
    const newKey = await keyFor(NEW);
    await clock.advance(1000);
    const guestKey = await keyFor(emailOf(guest));
    await clock.advance(1000);
    const kimsKey = await keyFor(emailOf(kim));
    await requireOfOrganization(operator, organization, true, "https://devices.example");
    expect(outcomeOf(await accept(newKey))).toBe("403 SECOND_FACTOR_SETUP_REQUIRED");
    expect(outcomeOf(await accept(kimsKey, { password: kim.user.password }))).toBe("403 SECOND_FACTOR_SETUP_REQUIRED");
    expect((await kim.get("/v2/instances")).statusCode).toBe(401);
    expect(outcomeOf(await accept(guestKey, {}, guest.headers))).toBe("403 SECOND_FACTOR_SETUP_REQUIRED");
    expect((await guest.get("/v2/instances")).statusCode).toBe(401);
  });

  it("asks nobody who is a member already to set one up in a session that is enough", async () => {
    const { keyFor, accept, as, db, operator, organization } = await inviting();
    const guest = await as({ role: "guest" });
    const key = await keyFor(emailOf(guest));
    await db
      .updateTable("users")
      .set({ organization_uuid: organization })
      .where("uuid", "=", guest.user.uuid)
      .execute();
    // As a sign-in at the organization's own provider does.
    await db
      .updateTable("sessions")
      .set({ vouched_by: organization })
      .where("user_uuid", "=", guest.user.uuid)
      .execute();
    await requireOfOrganization(operator, organization, true, "https://devices.example");
    expect((await accept(key, {}, guest.headers)).statusCode).toBe(200);
    expect((await guest.get("/v2/instances")).statusCode).toBe(200);
  });

  it("leaves no session to those who join while a second factor comes to be required", async () => {
    const { keyFor, accept, as, db, operator, organization } = await inviting();
    const guest = await as({ role: "guest" });
    const key = await keyFor(emailOf(guest));
    let joining: ReturnType<typeof accept> | undefined;
    await db.transaction().execute(async (trx) => {
      await requireOfOrganization({ ...operator, db: trx }, organization, true, "https://devices.example");
      joining = accept(key, {}, guest.headers);
      await Promise.race([joining, untilBlocked(db)]);
    });
    expect(joining && outcomeOf(await joining)).toBe("403 SECOND_FACTOR_SETUP_REQUIRED");
    expect((await guest.get("/v2/instances")).statusCode).toBe(401);
  });

  it("lets a guest join who is signed in, without a password", async () => {
    const { as, keyFor, accept, organization } = await inviting();
    const guest = await as({ role: "guest" });
    const joined = await accept(await keyFor(emailOf(guest)), {}, guest.headers);
    expect([joined.statusCode, joined.json()]).toMatchObject([
      200,
      { token: guest.token, user: { uuid: guest.user.uuid, organization: { uuid: organization } } },
    ]);
  });

  it.each([
    ["does not allow the way in which they have signed in", { allowed_sign_ins: ["google"] }, 0],
    ["has ended longer sessions", { session_hours: 1 }, 1],
    [
      "allows only some ways, and requires a second factor",
      { allowed_sign_ins: ["passkey"], requires_second_factor: true },
      1,
    ],
  ])("has who is signed in sign in again when they have joined an organization that %s", async (_, rules, hours) => {
    const { as, keyFor, accept, organization, db, clock } = await inviting();
    const guest = await as({ role: "guest" });
    const key = await keyFor(emailOf(guest));
    await db.updateTable("organizations").set(rules).where("uuid", "=", organization).execute();
    // How somebody else has signed in does not count.
    await db.updateTable("sessions").set({ way: "passkey" }).where("user_uuid", "!=", guest.user.uuid).execute();
    await clock.advance(hours * 3_600_000);
    expect(outcomeOf(await accept(key, {}, guest.headers))).toBe("403 SIGN_IN_AGAIN");
    expect((await guest.get("/v2/instances")).statusCode).toBe(401);
    const row = db.selectFrom("users").select("organization_uuid").where("uuid", "=", guest.user.uuid);
    expect(await row.executeTakeFirst()).toEqual({ organization_uuid: organization });
  });

  it("lets a session go on that began in a way that is allowed, and no other of theirs", async () => {
    const { as, keyFor, accept, organization, db, call } = await inviting();
    const guest = await as({ role: "guest" });
    const { email, password } = guest.user;
    const before: string = (await call("POST", "/v1/users/login", { body: { email, password } })).json().token;
    // As of a server that did not note it.
    await db.updateTable("sessions").set({ way: null }).where("user_uuid", "=", guest.user.uuid).execute();
    const after: string = (await call("POST", "/v1/users/login", { body: { email, password } })).json().token;
    const key = await keyFor(email);
    const rules = { allowed_sign_ins: ["password"] };
    await db.updateTable("organizations").set(rules).where("uuid", "=", organization).execute();
    const by = (token: string) => ({ authorization: `Bearer ${token}` });
    expect((await accept(key, {}, by(after))).statusCode).toBe(200);
    const status = async (token: string) => (await call("GET", "/v2/instances", { headers: by(token) })).statusCode;
    expect([await status(after), await status(before), await status(guest.token)]).toEqual([200, 401, 401]);
  });

  it("lets a new session go on where only shorter ones are allowed", async () => {
    const { as, keyFor, accept, organization, db, clock } = await inviting();
    const guest = await as({ role: "guest" });
    const key = await keyFor(emailOf(guest));
    await db.updateTable("organizations").set({ session_hours: 1 }).where("uuid", "=", organization).execute();
    await clock.advance(3_600_000 - 1);
    expect((await accept(key, {}, guest.headers)).statusCode).toBe(200);
    expect((await guest.get("/v2/instances")).statusCode).toBe(200);
  });

  it("refuses to do without a password for anybody else", async () => {
    const { as, keyFor, accept, look } = await inviting();
    const key = await keyFor(NEW);
    const other = await as({ role: "guest" });
    expect(outcomeOf(await accept(key, {}, other.headers))).toBe("403 INVITATION_WRONG_ACCOUNT");
    expect(outcomeOf(await accept(key, {}))).toBe("401 NOT_AUTHENTICATED");
    expect(outcomeOf(await accept(key, {}, { authorization: "Bearer x.y.z" }))).toBe("401 NOT_AUTHENTICATED");
    expect((await look(key)).statusCode).toBe(200);
  });

  it("moves nobody from one organization to another, and the invitation stays", async () => {
    const { as, keyFor, accept, look, db } = await inviting();
    const member = await as({ role: "manager" });
    const key = await keyFor(emailOf(member));
    for (const answer of [await accept(key, { password: member.user.password }), await accept(key, {}, member.headers)])
      expect(outcomeOf(answer)).toBe("409 MEMBER_ELSEWHERE");
    expect((await look(key)).statusCode).toBe(200);
    // That of `as`.
    const sessions = db.selectFrom("sessions").selectAll().where("user_uuid", "=", member.user.uuid);
    expect(await sessions.execute()).toHaveLength(1);
    const row = db.selectFrom("users").selectAll().where("uuid", "=", member.user.uuid);
    expect(await row.executeTakeFirst()).toMatchObject({ organization_uuid: member.user.organization_uuid });
  });

  it("makes no customer of whoever runs the service", async () => {
    const test = await inviting();
    const operator = await anOperator(test);
    const key = await test.keyFor(emailOf(operator));
    expect(outcomeOf(await test.accept(key, {}, operator.headers))).toBe("409 MEMBER_ELSEWHERE");
  });

  it("replaces an account with the address that nobody has confirmed", async () => {
    const { as, keyFor, look, accept, login, organization, db } = await inviting();
    const registered = await as({ role: "manager" });
    const { uuid, email, password } = registered.user;
    await db.updateTable("users").set({ is_validated: false }).where("uuid", "=", uuid).execute();
    const key = await keyFor(email);
    expect((await look(key)).json().has_account).toBe(false);
    const joined = await accept(key);
    expect([joined.statusCode, joined.json().user]).toMatchObject([
      200,
      { organization: { uuid: organization }, is_organization_manager: false },
    ]);
    expect([await login(email, password), await login(email, PASSWORD)]).toEqual([401, 200]);
  });

  it("replaces no account that is confirmed at the same moment", async () => {
    const { as, keyFor, accept, login, db } = await inviting();
    const { uuid, email, password } = (await as({ role: "manager" })).user;
    const set = (trx: typeof db, is_validated: boolean) =>
      trx.updateTable("users").set({ is_validated }).where("uuid", "=", uuid).execute();
    await set(db, false);
    const key = await keyFor(email);
    const accepted = await db.transaction().execute(async (trx) => {
      await set(trx, true);
      const answer = accept(key);
      await untilBlocked(db);
      return { answer };
    });
    expect(outcomeOf(await accepted.answer)).toBe("410 LINK_EXPIRED");
    expect([await login(email, password), await login(email, PASSWORD)]).toEqual([200, 401]);
  });

  it("lets nobody in who is disabled", async () => {
    const { as, keyFor, accept, db } = await inviting();
    const guest = await as({ role: "guest" });
    const key = await keyFor(emailOf(guest));
    await db.updateTable("users").set({ is_enabled: false }).where("uuid", "=", guest.user.uuid).execute();
    expect(outcomeOf(await accept(key, { password: guest.user.password }))).toBe("403 USER_NOT_ENABLED");
    expect(outcomeOf(await accept(key, {}, guest.headers))).toBe("401 NOT_AUTHENTICATED");
  });
});
