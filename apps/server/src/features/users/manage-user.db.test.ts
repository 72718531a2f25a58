import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { sessionTokens } from "../sessions/session-tokens.ts";
import { Sessions } from "../sessions/sessions.ts";
import { disableUser, enableUser, listCredentials, resetPassword, setRole, signOutUser } from "./manage-user.ts";
import { findUserByEmail } from "./users.store.ts";

const HOME = "198.51.100.7";

/** Somebody with a session and an API token, and somebody else with both, to whom nothing may happen. */
async function people(role: "manager" | "user" | "guest" = "user") {
  const test = await createTestApp();
  const [robin, kim] = [await test.as({ role }), await test.as()];
  const made = await robin.post("/v1/api-tokens", { description: "ci" });
  await kim.post("/v1/api-tokens", { description: "other" });
  const byToken = { "x-api-token": made.json<{ token?: string }>().token ?? "" };
  const status = async (headers: Record<string, string>) =>
    (await test.call("GET", "/v2/instances", { headers })).statusCode;
  const login = async (password: string) =>
    (await test.call("POST", "/v1/users/login", { body: { email: robin.user.email, password } })).statusCode;
  return {
    ...test,
    robin,
    email: robin.user.email,
    login,
    /** What the session, the API token and the other person's session get. */
    statuses: async () => [await status(robin.headers), await status(byToken), await status(kim.headers)],
  };
}

describe("disableUser", () => {
  it("refuses everything of the user until enabled again, except the sessions, which have ended", async () => {
    const { operator, robin, email, statuses, login } = await people();
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await disableUser(operator, email.toUpperCase())).toBe(true);
    expect(await disableUser(operator, email)).toBe(false);
    expect([...(await statuses()), await login(robin.user.password)]).toEqual([401, 401, 200, 403]);
    expect(await enableUser(operator, email)).toBe(true);
    expect([...(await statuses()), await login(robin.user.password)]).toEqual([401, 200, 200, 200]);
  });

  it("ends the sessions of a user who was disabled with SQL", async () => {
    const { db, operator, email, statuses } = await people();
    await db.updateTable("users").set({ is_enabled: false }).where("email", "=", email).execute();
    expect(await disableUser(operator, email)).toBe(true);
    await enableUser(operator, email);
    expect(await statuses()).toEqual([401, 200, 200]);
  });

  it("shows in the log of the organization, and outlasts the demonstration that had disabled somebody", async () => {
    const { db, as, operator, robin, email } = await people();
    const organization = robin.user.organization_uuid ?? "";
    const manager = await as({ organization, role: "manager" });
    const closeDemo = () =>
      db.updateTable("users").set({ disabled_by: "demo", is_enabled: false }).where("email", "=", email).execute();
    const by = async () => (await findUserByEmail(db, email))?.disabled_by;
    await closeDemo();
    expect([await enableUser(operator, ` ${email} `), await by()]).toEqual([true, null]);
    await closeDemo();
    expect([await disableUser(operator, email), await by()]).toEqual([true, "operator"]);
    const { results } = (await manager.get(`/v1/audit?subject=${robin.user.uuid}`)).json();
    expect(results.map(({ action, actor }: { action: string; actor: object }) => [action, actor])).toEqual([
      ["user.disable", { kind: "operator", uuid: null, email: null }],
      ["user.enable", { kind: "operator", uuid: null, email: null }],
    ]);
  });

  it("says that nobody has the address", async () => {
    const { operator } = await people();
    await expect(disableUser(operator, "nobody@fern.test")).rejects.toThrow("Nobody has the address nobody@fern.test.");
  });
});

describe("resetPassword", () => {
  it("replaces the password and ends the sessions, but not the API tokens", async () => {
    const { operator, robin, email, statuses, login } = await people();
    await resetPassword(operator, email, "a better horse 2");
    expect(await statuses()).toEqual([401, 200, 200]);
    expect([await login(robin.user.password), await login("a better horse 2")]).toEqual([401, 200]);
  });

  it.each([
    ["that breaks the rules", "short 1", "password"],
    ["that is common", "Password123", "This password is too common"],
  ])("refuses a password %s, and changes nothing", async (_, password, message) => {
    const { operator, email, statuses } = await people();
    await expect(resetPassword(operator, email, password)).rejects.toThrow(message);
    expect(await statuses()).toEqual([200, 200, 200]);
  });
});

describe("somebody whose password was right when it was compared", () => {
  async function comparing() {
    const test = await people();
    const { db, clock, audit, email } = test;
    const user = await findUserByEmail(db, email);
    if (!user) throw new Error("There is no such user");
    const tokens = sessionTokens(new Uint8Array(32), clock);
    const reads = { query: async () => [] };
    const sessions = new Sessions({ db, clock, audit, tokens, reads });
    const open = () => sessions.open(user, { ip: HOME, requestId: "" });
    return { ...test, open };
  }
  const refused = { code: "BAD_USERNAME_PASSWORD" };

  it("gets no session when the password was replaced or they were disabled since", async () => {
    const { operator, email, open } = await comparing();
    await open();
    await disableUser(operator, email);
    await expect(open()).rejects.toMatchObject(refused);
    await enableUser(operator, email);
    await open();
    await resetPassword(operator, email, "a better horse 2");
    await expect(open()).rejects.toMatchObject(refused);
  });

  it("gets none either while it is being replaced", async () => {
    const { db, email, open } = await comparing();
    let opening: Promise<unknown> | undefined;
    await db.transaction().execute(async (trx) => {
      await trx.updateTable("users").set({ password_hash: "another" }).where("email", "=", email).execute();
      opening = open();
      opening.catch(() => undefined);
      await untilBlocked(db);
    });
    await expect(opening).rejects.toMatchObject(refused);
  });
});

describe("signOutUser", () => {
  it.each([
    [{ sessions: true, tokens: true }, { sessions: 1, tokens: 1 }, [401, 401, 200]],
    [{ sessions: true, tokens: false }, { sessions: 1, tokens: 0 }, [401, 200, 200]],
    [{ sessions: false, tokens: true }, { sessions: 0, tokens: 1 }, [200, 401, 200]],
  ])("ends what is asked for: %j", async (which, ended, after) => {
    const { operator, email, statuses } = await people();
    expect(await signOutUser(operator, email, which)).toEqual(ended);
    expect(await statuses()).toEqual(after);
  });
});

describe("setRole", () => {
  it("makes a member a manager, and a member again", async () => {
    const { operator, email, robin } = await people();
    const isManager = async () => (await robin.get(`/v1/users/${robin.user.uuid}`)).json().is_organization_manager;
    expect([await setRole(operator, email, "manager"), await isManager()]).toEqual([true, true]);
    expect(await setRole(operator, email, "manager")).toBe(false);
    expect([await setRole(operator, email, "user"), await isManager()]).toEqual([true, false]);
  });

  it("has none for guests", async () => {
    const { operator, email } = await people("guest");
    await expect(setRole(operator, email, "manager")).rejects.toThrow("is a guest");
  });
});

it("listCredentials shows what has not ended, and no secret", async () => {
  const { operator, email, db } = await people();
  const listed = await listCredentials(db, email);
  expect(listed).toMatchObject([
    { kind: "session", description: null },
    { kind: "API token", description: "ci", last_access: null },
  ]);
  expect(Object.keys(listed[1] ?? {}).sort()).toEqual(["created_at", "description", "kind", "last_access", "uuid"]);
  await signOutUser(operator, email, { sessions: true, tokens: true });
  expect(await listCredentials(db, email)).toEqual([]);
});
