import { expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { closeDemo, demoAccounts, openDemo } from "./demo.ts";

async function open() {
  const test = await createTestApp();
  await openDemo(test.db, test.clock);
  const signIn = async () => {
    const answers = await Promise.all(demoAccounts.map((body) => test.call("POST", "/v1/users/login", { body })));
    return answers.map((answer) => (answer.statusCode === 200 ? answer.json().user : answer.json().code));
  };
  return { ...test, signIn };
}

it("lets a manager, a user and a guest sign in who have accepted the terms", async () => {
  const { signIn } = await open();
  const [manager, user, guest] = await signIn();
  expect(manager).toMatchObject({ is_organization_manager: true, organization: { name: "Northwind Mobile" } });
  expect(user).toMatchObject({ is_organization_manager: false, organization: manager.organization });
  expect(guest).toMatchObject({ is_organization_manager: false, organization: null });
  for (const person of [manager, user, guest]) expect(person.tnc_accepted).toBe(true);
});

it("changes nothing when it is opened again", async () => {
  const { db, clock, signIn } = await open();
  const rows = async () => [
    await db.selectFrom("users").selectAll().orderBy("uuid").execute(),
    await db.selectFrom("organizations").selectAll().execute(),
  ];
  await db.updateTable("organizations").set({ instances_max: 3 }).execute();
  const before = await rows();
  await clock.advance(1_000);
  await Promise.all([openDemo(db, clock), openDemo(db, clock)]);
  expect(await rows()).toEqual(before);
  expect((await signIn()).every((user) => typeof user === "object")).toBe(true);
});

it("closes its own accounts and no other, and opens them again", async () => {
  const { as, db, clock, signIn } = await open();
  const robin = await as();
  await closeDemo(db);
  expect(await signIn()).toEqual(["USER_NOT_ENABLED", "USER_NOT_ENABLED", "USER_NOT_ENABLED"]);
  await clock.advance(1_000);
  expect((await robin.get("/v2/instances")).statusCode).toBe(200);
  await openDemo(db, clock);
  expect((await signIn())[0]).toMatchObject({ email: "manager@demo.test" });
});
