import { limits, type User } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { anOrganization, aUser } from "../../testing/factories.ts";
import { addUser } from "./add-user.ts";
import { findUser } from "./users.store.ts";

describe("POST /v1/users/login", () => {
  it("answers a token and the user", async () => {
    const { db, call } = await createTestApp();
    const user = await aUser(db, { role: "manager" });
    const answer = await call("POST", "/v1/users/login", {
      body: { email: ` ${user.email.toUpperCase()} `, password: user.password },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      token: expect.stringMatching(/^ey/),
      user: { uuid: user.uuid, is_organization_manager: true },
    });
    expect(answer.body).not.toContain("password");
  });

  it("refuses a wrong password and an unknown account alike", async () => {
    const { db, call } = await createTestApp();
    const user = await aUser(db);
    const wrong = await call("POST", "/v1/users/login", { body: { email: user.email, password: "wrong password 1" } });
    const unknown = await call("POST", "/v1/users/login", {
      body: { email: "nobody@fernworks.test", password: "wrong password 1" },
    });
    for (const answer of [wrong, unknown]) {
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject({ code: "BAD_USERNAME_PASSWORD", message: "Fail to log in" });
    }
  });

  it.each([{ is_enabled: false }, { is_validated: false }])(
    "refuses an account that is not enabled: %j",
    async (fields) => {
      const { db, call } = await createTestApp();
      const user = await aUser(db, { fields });
      const answer = await call("POST", "/v1/users/login", { body: { email: user.email, password: user.password } });
      expect([answer.statusCode, answer.json().code]).toEqual([403, "USER_NOT_ENABLED"]);
    },
  );

  it("counts no try whose password could not be looked at", async () => {
    const { db, call } = await createTestApp();
    const user = await aUser(db);
    const login = () => call("POST", "/v1/users/login", { body: { email: user.email, password: user.password } });
    const setHash = (password_hash: string) =>
      db.updateTable("users").set({ password_hash }).where("uuid", "=", user.uuid).execute();
    const { password_hash } = await db
      .selectFrom("users")
      .select("password_hash")
      .where("uuid", "=", user.uuid)
      .executeTakeFirstOrThrow();
    await setHash("not a hash");
    for (let tries = 0; tries < 10; tries++) expect((await login()).statusCode).toBe(500);
    await setHash(password_hash ?? "");
    expect((await login()).statusCode).toBe(200);
  });

  it("refuses the eleventh try in a minute, whoever tries, and says when to come back", async () => {
    const { db, call, clock } = await createTestApp();
    const user = await aUser(db);
    const login = (password: string) => call("POST", "/v1/users/login", { body: { email: user.email, password } });
    for (let tries = 0; tries < 10; tries++) expect((await login("wrong password 1")).statusCode).toBe(401);
    const refused = await login(user.password);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "60"]);
    await clock.advance(60_000);
    expect((await login(user.password)).statusCode).toBe(200);
  });
});

describe("POST /v1/users/terms-and-conditions", () => {
  it("notes when somebody has accepted the terms, once", async () => {
    const { as, db, audited, clock } = await createTestApp();
    const robin = await as({ fields: { tnc_accepted_at: null } });
    const accept = async () => (await robin.post("/v1/users/terms-and-conditions")).json().tnc_accepted;
    const acceptedAt = async () => (await findUser(db, robin.user.uuid))?.tnc_accepted_at;
    const now = new Date(clock.now());
    expect([await accept(), await acceptedAt()]).toEqual([true, now]);
    await clock.advance(1_000);
    expect([await accept(), await acceptedAt()]).toEqual([true, now]);
    expect((await audited()).filter(({ action }) => action === "user.accept_terms")).toHaveLength(1);
  });
});

describe("an address", () => {
  it("has 20 wrong tries in a minute, however often its own account signs in between", async () => {
    const { db, call } = await createTestApp();
    const own = await aUser(db);
    const login = (email: string, password: string) =>
      call("POST", "/v1/users/login", { body: { email, password } }).then(({ statusCode }) => statusCode);
    const wrong: number[] = [];
    for (let tries = 0; tries < 20; tries++) {
      wrong.push(await login(`victim-${tries}@fernworks.test`, "wrong password 1"));
      await login(own.email, own.password);
    }
    expect(new Set(wrong)).toEqual(new Set([401]));
    expect(await login("victim@fernworks.test", "wrong password 1")).toBe(429);
  });
});

describe("GET /v2/users", () => {
  it("pages through one's own organization only", async () => {
    const { as, db } = await createTestApp();
    const robin = await as({ role: "manager" });
    for (let count = 0; count < 6; count++) await aUser(db, { organization: robin.user.organization_uuid ?? "" });
    await aUser(db);
    const page = (await robin.get("/v2/users?page=1&page_size=5")).json();
    expect([page.count, page.results.length, page.previous]).toEqual([7, 5, null]);
    expect(
      (await robin.get(new URL(page.next).pathname.replace("/cloud", "") + new URL(page.next).search)).json().results,
    ).toHaveLength(2);
    expect((await robin.get("/v2/users?page_size=-1")).json().results).toHaveLength(7);
    expect((await robin.get("/v2/users?page_size=6000")).json().code).toBe("PAGE_TOO_LARGE");
  });

  it("sorts by several columns, each in its direction", async () => {
    const { as, db } = await createTestApp();
    const robin = await as({ role: "manager", fields: { email: "m@fernworks.test", first_name: "Moss" } });
    const organization = robin.user.organization_uuid ?? "";
    for (const [first_name, name] of [
      ["Ash", "a"],
      ["Moss", "z"],
      ["Ash", "b"],
    ] as const)
      await aUser(db, { organization, fields: { first_name, email: `${name}@fernworks.test` } });
    const sorted = async (ordering: string) =>
      (await robin.get(`/v2/users?ordering=${ordering}`))
        .json()
        .results.map(({ email }: { email: string }) => email[0]);
    expect(await sorted("first_name,-email")).toEqual(["b", "a", "z", "m"]);
    expect(await sorted("-first_name,%2Bemail")).toEqual(["m", "z", "a", "b"]);
    expect(await sorted("created_at,email")).toEqual(["a", "b", "m", "z"]);
  });

  it("does not know people of other organizations", async () => {
    const { as, db } = await createTestApp();
    const robin = await as({ role: "manager" });
    const stranger = await aUser(db);
    const theirs = await robin.get(`/v1/users/${stranger.uuid}`);
    const nobodys = await robin.get("/v1/users/9b2f1f6e-7f4b-4c38-8b0a-0a4c0a6f2a11");
    expect([theirs.statusCode, theirs.json().code]).toEqual([404, "USER_NOT_FOUND"]);
    expect({ ...theirs.json(), request_id: "" }).toEqual({ ...nobodys.json(), request_id: "" });
  });

  it("is closed to guests, who know each other as little", async () => {
    const { as, db } = await createTestApp();
    const guest = await as({ role: "guest" });
    const other = await aUser(db, { role: "guest" });
    expect((await guest.get("/v2/users")).json().code).toBe("FORBIDDEN");
    expect((await guest.get(`/v1/users/${other.uuid}`)).json().code).toBe("USER_NOT_FOUND");
    expect((await guest.get(`/v1/users/${guest.user.uuid}`)).statusCode).toBe(200);
  });

  it("shows what is somebody’s own to nobody else: a colleague may not, a stranger is not known", async () => {
    const { as, db } = await createTestApp();
    const robin = await as({ role: "manager" });
    const colleague = await aUser(db, { organization: robin.user.organization_uuid ?? "" });
    const codeOf = async ({ uuid }: { uuid: string }) => (await robin.get(`/v1/users/${uuid}/export`)).json().code;
    expect([await codeOf(colleague), await codeOf(await aUser(db))]).toEqual(["FORBIDDEN", "USER_NOT_FOUND"]);
  });

  it("sorts those who are alike by their addresses", async () => {
    const { as, db } = await createTestApp();
    const robin = await as({ role: "manager", fields: { email: "m@fernworks.test" } });
    const organization = robin.user.organization_uuid ?? "";
    for (const name of ["z", "b", "y", "c"])
      await aUser(db, { organization, fields: { email: `${name}@fernworks.test` } });
    const { results } = (await robin.get("/v2/users?ordering=-first_name")).json<{ results: User[] }>();
    expect(results.map(({ email }) => email[0])).toEqual(["b", "c", "m", "y", "z"]);
  });
});

describe("PUT /v2/users/:uuid", () => {
  it("keeps one's preferences, for every later sign-in", async () => {
    const { as, call } = await createTestApp();
    const robin = await as();
    const path = `/v2/users/${robin.user.uuid}`;
    const front_preferences = { "devices-table": { version: 2, value: { columns: ["[[{", '"'], filters: {} } } };
    expect((await robin.put(path, { front_preferences })).json().front_preferences).toEqual(front_preferences);
    // What is not named stays.
    const first_name = "Rowan";
    expect((await robin.put(path, { first_name })).json()).toMatchObject({ first_name, front_preferences });
    const { email, password } = robin.user;
    const { user } = (await call("POST", "/v1/users/login", { body: { email, password } })).json<{ user: User }>();
    expect(user.front_preferences).toEqual(front_preferences);
  });

  it("records of oneself only what has changed", async () => {
    const { as, audited } = await createTestApp();
    const robin = await as();
    const path = `/v2/users/${robin.user.uuid}`;
    const acts = async () =>
      (await audited()).map(({ action }) => action).filter((action) => action.startsWith("user."));
    for (const change of [{ front_preferences: { a: 1 } }, { front_preferences: { a: 1 } }])
      expect((await robin.put(path, change)).statusCode).toBe(200);
    expect(await acts()).toEqual(["user.set_preferences"]);
    expect((await robin.put(path, { last_name: "Ash", front_preferences: { a: 1 } })).json().last_name).toBe("Ash");
    expect(await acts()).toEqual(["user.set_preferences", "user.rename"]);
  });

  it("keeps one's names, and records that they changed", async () => {
    const { as, audited } = await createTestApp();
    const robin = await as();
    const path = `/v2/users/${robin.user.uuid}`;
    const renamed = { first_name: "Zo\u00eb", last_name: "" };
    expect((await robin.put(path, { first_name: " Zo\u00eb ", last_name: "  " })).json()).toMatchObject(renamed);
    expect((await robin.put(path, renamed)).statusCode).toBe(200);
    expect((await robin.get(`/v1/users/${robin.user.uuid}`)).json()).toMatchObject(renamed);
    const records = (await audited()).filter(({ action }) => action === "user.rename");
    expect(records).toHaveLength(1);
    expect(JSON.stringify(records)).not.toContain("Zo");
  });

  it.each([["x".repeat(limits.textLength + 1)], ["Rob\u202Ein"], ["Rob\0in"], [7]])(
    "refuses the name %j",
    async (first_name) => {
      const { as } = await createTestApp();
      const robin = await as();
      const answer = await robin.put(`/v2/users/${robin.user.uuid}`, { first_name });
      expect([answer.statusCode, answer.json().fields?.[0]?.field]).toEqual([400, "first_name"]);
    },
  );

  it.each([{ is_enabled: false }, { is_organization_manager: false }])(
    "lets nobody change their own role or status: %j",
    async (fields) => {
      const { as } = await createTestApp();
      const robin = await as({ role: "manager" });
      const path = `/v2/users/${robin.user.uuid}`;
      const answer = await robin.put(path, { ...fields, first_name: "Rowan" });
      expect([answer.statusCode, answer.json().code]).toEqual([403, "FORBIDDEN"]);
      const kept = { is_enabled: true, is_organization_manager: true, first_name: "Robin" };
      expect((await robin.get(`/v1/users/${robin.user.uuid}`)).json()).toMatchObject(kept);
      // Clients may send back what they read.
      expect((await robin.put(path, { is_enabled: true, is_organization_manager: true })).statusCode).toBe(200);
    },
  );

  it("is for oneself only", async () => {
    const { as, db } = await createTestApp();
    const organization = await anOrganization(db);
    const [robin, manager] = [await as({ organization }), await as({ organization, role: "manager" })];
    const answer = await manager.put(`/v2/users/${robin.user.uuid}`, { front_preferences: { a: 1 } });
    expect([answer.statusCode, answer.json().code]).toEqual([403, "FORBIDDEN"]);
    expect((await robin.get(`/v1/users/${robin.user.uuid}`)).json().front_preferences).toEqual({});
  });

  it.each([
    ["more than a browser would remember", { a: "x".repeat(limits.frontPreferencesLength) }],
    ["NUL", { a: ["\0"] }],
    ["half a character", { a: { "\ud800": 1 } }],
    ["what is nested too deeply", { a: JSON.parse(`${"[".repeat(32)}"]["${"]".repeat(32)}`) }],
    ["a list", ["a"]],
  ])("refuses %s", async (_, front_preferences) => {
    const { as } = await createTestApp();
    const robin = await as();
    const answer = await robin.put(`/v2/users/${robin.user.uuid}`, { front_preferences });
    expect([answer.statusCode, answer.json().code]).toEqual([400, "invalid_request"]);
  });
});

describe("GET /v2/users, filtered", () => {
  it.each([
    ["search=fern", ["kim@fern.test", "moss@pot.test"]],
    ["search=fern&search_field=email", ["kim@fern.test"]],
    ["search=fern&search_field=last_name", ["moss@pot.test"]],
    ["search=birch", ["moss@pot.test"]],
    ["search=50%25", ["ivy@pot.test"]],
    ["users=KIM@fern.test,ivy@pot.test,other@fern.test", ["ivy@pot.test", "kim@fern.test"]],
    ["ordering=email", ["ivy@pot.test", "kim@fern.test", "moss@pot.test"]],
    ["ordering=-email", ["moss@pot.test", "kim@fern.test", "ivy@pot.test"]],
    ["ordering=-first_name", ["kim@fern.test", "moss@pot.test", "ivy@pot.test"]],
  ])("shows by %s", async (query, expected) => {
    const { as, db } = await createTestApp();
    const organization = await anOrganization(db);
    const someone = (email: string, first_name: string, last_name: string) =>
      aUser(db, { organization, fields: { email, first_name, last_name } });
    const kim = await as({ organization, fields: { email: "kim@fern.test", first_name: "c", last_name: "x" } });
    await someone("moss@pot.test", "birch", "Fernandez");
    await someone("ivy@pot.test", "a", "50%");
    await aUser(db, { fields: { email: "other@fern.test" } });
    const { count, results } = (await kim.get(`/v2/users?${query}`)).json<{ count: number; results: User[] }>();
    const emails = results.map(({ email }) => email);
    expect([count, query.includes("ordering") ? emails : emails.sort()]).toEqual([expected.length, expected]);
  });

  it("shows by identifier", async () => {
    const { as, db } = await createTestApp();
    const kim = await as();
    const stranger = await aUser(db);
    const page = await kim.get(`/v2/users?field=uuid&users=${kim.user.uuid},${stranger.uuid},nonsense`);
    expect(page.json().results.map(({ uuid }: User) => uuid)).toEqual([kim.user.uuid]);
  });
});

describe("addUser", () => {
  const person = { email: " Kim@Fern.test ", password: "correct horse 1", organization: "Fernworks", manager: true };

  it("adds a person who can sign in, and makes their organization once", async () => {
    const { call, operator } = await createTestApp();
    await addUser(operator, person);
    await addUser(operator, { ...person, email: "moss@fern.test", manager: false });
    const signIn = async (email: string) =>
      (await call("POST", "/v1/users/login", { body: { email, password: person.password } })).json().user;
    const [kim, moss] = [await signIn("kim@fern.test"), await signIn("moss@fern.test")];
    expect([kim.is_organization_manager, moss.is_organization_manager]).toEqual([true, false]);
    expect(moss.organization).toEqual({ uuid: kim.organization.uuid, name: "Fernworks" });
  });

  it("refuses an address that somebody has, and makes no organization for it", async () => {
    const { db, operator } = await createTestApp();
    await addUser(operator, person);
    const again = addUser(operator, { ...person, email: "KIM@fern.test", organization: "Mossworks" });
    await expect(again).rejects.toThrow(/^kim@fern.test is in use already\.$/);
    expect(await db.selectFrom("organizations").select("name").execute()).toEqual([{ name: "Fernworks" }]);
  });

  it.each([
    [{ password: "short 1" }, "password"],
    [{ password: "12345678" }, "Use at least one letter"],
    [{ password: "abcdefgh" }, "Use at least one number"],
    [{ password: "Trustno1" }, "This password is too common"],
    [{ email: "kim" }, "email"],
    [{ organization: " " }, "organization"],
    [{ organization: "Fern\u202Eskrow" }, "Use characters that can be seen"],
  ])("refuses %j", async (wrong, sentence) => {
    const { db, operator } = await createTestApp();
    await expect(addUser(operator, { ...person, ...wrong })).rejects.toThrow(sentence);
    expect(await db.selectFrom("organizations").select("uuid").execute()).toEqual([]);
  });
});
