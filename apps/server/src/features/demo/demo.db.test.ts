import type { Recipe } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { disableUser, enableUser } from "../users/manage-user.ts";
import { closeDemo, openDemo, resetDemoPasswords } from "./demo.ts";

async function open({ isLocal = true } = {}) {
  const test = await createTestApp();
  const first = await openDemo(test, { isLocal });
  const signIn = async (accounts = [...first.published, ...first.made]) => {
    const answers = await Promise.all(
      accounts.map(({ email, password }) => test.call("POST", "/v1/users/login", { body: { email, password } })),
    );
    return answers.map((answer) => (answer.statusCode === 200 ? answer.json().user : answer.json().code));
  };
  const again = (options: { isLocal: boolean }) => openDemo(test, options);
  return { ...test, first, again, signIn };
}

const emails = (accounts: readonly { email: string }[]) => accounts.map(({ email }) => email);
const all = ["manager@demo.test", "user@demo.test", "guest@demo.test"];

it("lets a manager, a user and a guest sign in who have accepted the terms", async () => {
  const { signIn } = await open();
  const [manager, user, guest] = await signIn();
  expect(manager).toMatchObject({ is_organization_manager: true, organization: { name: "Northwind Mobile" } });
  expect(user).toMatchObject({ is_organization_manager: false, organization: manager.organization });
  expect(guest).toMatchObject({ is_organization_manager: false, organization: null });
  for (const person of [manager, user, guest]) expect(person.tnc_accepted).toBe(true);
});

it("shares a recipe with the guest, who can start it, until its owner deletes it", async () => {
  const { call, first, again } = await open();
  const as = async (role: string) => {
    const account = first.published.find((each) => each.role === role);
    const { token } = (await call("POST", "/v1/users/login", { body: { ...account } })).json<{ token: string }>();
    return { headers: { authorization: `Bearer ${token}` } };
  };
  const [owner, guest] = [await as("user"), await as("guest")];
  const shared = async () => (await call("GET", "/v3/recipes", guest)).json<{ results: Recipe[] }>().results;
  const [recipe] = await shared();
  expect(await shared()).toMatchObject([{ name: "Northwind phone", right: "guest", owner: { first_name: "Tomasz" } }]);
  const path = `/v1/recipes/${recipe?.uuid}`;
  const started = await call("POST", `${path}/start-disposable`, { ...guest, body: { instance_name: "mine" } });
  expect([started.statusCode, started.json()]).toMatchObject([201, { name: "mine", state: "CREATING" }]);
  expect((await call("DELETE", path, owner)).statusCode).toBe(204);
  await again({ isLocal: true });
  expect(await shared()).toEqual([]);
});

it("changes nothing when it is opened again", async () => {
  const { db, clock, first, again, signIn } = await open();
  const rows = async () => [
    await db.selectFrom("users").selectAll().orderBy("uuid").execute(),
    await db.selectFrom("organizations").selectAll().execute(),
  ];
  await db.updateTable("organizations").set({ instances_max: 3 }).execute();
  const before = await rows();
  await clock.advance(1_000);
  expect(await Promise.all([again({ isLocal: true }), again({ isLocal: true })])).toEqual([first, first]);
  expect(await rows()).toEqual(before);
  expect((await signIn()).every((user) => typeof user === "object")).toBe(true);
});

it("closes its own accounts and no other, and opens them again", async () => {
  const { as, db, clock, audit, again, signIn } = await open();
  const robin = await as();
  await closeDemo(db, audit);
  expect(await signIn()).toEqual(["USER_NOT_ENABLED", "USER_NOT_ENABLED", "USER_NOT_ENABLED"]);
  await clock.advance(1_000);
  expect((await robin.get("/v2/instances")).statusCode).toBe(200);
  await again({ isLocal: true });
  expect((await signIn())[0]).toMatchObject({ email: "manager@demo.test" });
});

it("does not enable accounts that an operator has disabled, before or after it was closed", async () => {
  const { db, audit, operator, again, signIn } = await open();
  await disableUser(operator, "user@demo.test");
  await again({ isLocal: true });
  expect((await signIn())[1]).toBe("USER_NOT_ENABLED");
  await closeDemo(db, audit);
  await disableUser(operator, "guest@demo.test");
  await enableUser(operator, "manager@demo.test");
  await disableUser(operator, "manager@demo.test");
  await again({ isLocal: true });
  expect(await signIn()).toEqual(["USER_NOT_ENABLED", "USER_NOT_ENABLED", "USER_NOT_ENABLED"]);
});

describe("a demo that others can reach", () => {
  it("has random passwords, which are told once", async () => {
    const { first, again, signIn } = await open({ isLocal: false });
    expect([emails(first.published), emails(first.made)]).toEqual([[], all]);
    expect(new Set(first.made.map(({ password }) => password)).size).toBe(3);
    for (const { password } of first.made) expect(password).toMatch(/^[\da-f]{20}$/);
    const published = first.made.map((account) => ({ ...account, password: "terrarium1" }));
    expect(await signIn(published)).toEqual(Array(3).fill("BAD_USERNAME_PASSWORD"));
    expect(emails(await signIn())).toEqual(all);
    // Neither then nor on a start for this machine alone, as it may be reached by a proxy.
    const nothing = { published: [], made: [] };
    expect(await again({ isLocal: false })).toEqual(nothing);
    expect(await again({ isLocal: true })).toEqual(nothing);
    expect(emails(await signIn())).toEqual(all);
  });

  it("replaces published passwords, and ends what was opened with them", async () => {
    const { as, call, first, again, signIn } = await open();
    const robin = await as();
    const [manager] = first.published;
    const { token } = (await call("POST", "/v1/users/login", { body: { ...manager } })).json();
    const headers = { authorization: `Bearer ${token}` };
    const made = await call("POST", "/v1/api-tokens", { headers, body: { description: "ci" } });
    expect(made.statusCode).toBe(201);
    const { made: accounts } = await again({ isLocal: false });
    expect(emails(accounts)).toEqual(all);
    expect(await signIn()).toEqual(Array(3).fill("BAD_USERNAME_PASSWORD"));
    expect(emails(await signIn(accounts))).toEqual(all);
    for (const credential of [headers, { "x-api-token": String(made.json().token) }])
      expect((await call("GET", "/v2/instances", { headers: { ...credential } })).statusCode).toBe(401);
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
  });

  it("gets other passwords by the operator, and what was opened with the old ones ends", async () => {
    const { operator, call, first, signIn } = await open({ isLocal: false });
    const { token } = (await call("POST", "/v1/users/login", { body: { ...first.made[0] } })).json();
    const accounts = await resetDemoPasswords(operator, operator.by);
    expect(await signIn()).toEqual(Array(3).fill("BAD_USERNAME_PASSWORD"));
    expect(emails(await signIn(accounts))).toEqual(all);
    const headers = { authorization: `Bearer ${token}` };
    expect((await call("GET", "/v2/instances", { headers })).statusCode).toBe(401);
  });
});

it("has no passwords where it never was", async () => {
  const { operator } = await createTestApp();
  expect(await resetDemoPasswords(operator, operator.by)).toEqual([]);
});
