import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { DatabaseRateLimiter } from "../../platform/rate-limits/database-rate-limiter.ts";
import { secretFor } from "../../platform/secrets.ts";
import { createTestApp } from "../../testing/app.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { aUser } from "../../testing/factories.ts";
import { hashPassword } from "./passwords.ts";
import { admitSignIn, signInsOfAccount } from "./sign-in-limits.ts";

const ATTACKER = "203.0.113.66";
const HOME = "198.51.100.7";

/** The service with a victim; `tries` answers the statuses of wrong passwords for an account from an address. */
async function open() {
  const test = await createTestApp();
  const victim = await aUser(test.db);
  const login = (email: string, password: string, from: string, more: object = {}) =>
    test.call("POST", "/v1/users/login", { body: { email, password, ...more }, from });
  const tries = async (count: number, from: (index: number) => string, email: (index: number) => string) => {
    const statuses: number[] = [];
    for (let index = 0; index < count; index++)
      statuses.push((await login(email(index), "wrong password 1", from(index))).statusCode);
    return statuses;
  };
  const enter = async (from: string, browser_token?: string) =>
    (await login(victim.email, victim.password, from, { browser_token })).statusCode;
  const known = async (): Promise<string> => (await login(victim.email, victim.password, HOME)).json().browser_token;
  return { ...test, victim, login, tries, enter, known };
}

/** The limits alone; `admit` says whether an attempt is within them, and leaves it counted as failed. */
async function limits() {
  const { db } = await createTestDatabase();
  const clock = new TestClock();
  const limiter = new DatabaseRateLimiter({ db, clock, secret: new Uint8Array(32) });
  const admit = (ip: string, email: string) =>
    admitSignIn(limiter, { ip, email, knownBrowser: undefined }).then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ code: "TOO_MANY_REQUESTS" });
        return false;
      },
    );
  return { clock, admit };
}

const count = (statuses: number[], status: number) => statuses.filter((each) => each === status).length;

describe("somebody whose account strangers guess at", () => {
  it("signs in from a clean address, and from a browser that is known, but not from where guesses came", async () => {
    const { victim, tries, enter, known } = await open();
    const token = await known();
    const statuses = await tries(
      12,
      () => ATTACKER,
      () => victim.email,
    );
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([10, 2]);
    expect(await enter(ATTACKER)).toBe(429);
    expect(await enter(HOME)).toBe(200);
    expect(await enter(ATTACKER, token)).toBe(200);
  });

  it("signs in from a known browser behind an address that is used up", async () => {
    const { tries, enter, known } = await open();
    const token = await known();
    const statuses = await tries(
      22,
      () => HOME,
      (index) => `name-${index}@fernworks.test`,
    );
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([20, 2]);
    expect(await enter(HOME)).toBe(429);
    expect(await enter(HOME, token)).toBe(200);
  });

  it("is safe from 50 addresses: they get 30 guesses in a minute together, and only a known browser gets in", async () => {
    const { victim, tries, enter, known, clock } = await open();
    const token = await known();
    const statuses = await tries(
      100,
      (index) => `203.0.113.${index % 50}`,
      () => victim.email,
    );
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([30, 70]);
    expect(await enter(HOME)).toBe(429);
    expect(await enter(HOME, token)).toBe(200);
    await clock.advance(60_000);
    expect(await enter(HOME)).toBe(200);
  });

  it("is told to wait no longer than the window, and stays clean while refused", async () => {
    const { victim, tries, login, clock } = await open();
    await tries(
      40,
      (index) => `203.0.113.${index}`,
      () => victim.email,
    );
    await clock.advance(20_000);
    for (let index = 0; index < 5; index++) {
      const refused = await login(victim.email, victim.password, HOME);
      expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "40"]);
    }
    await clock.advance(40_000);
    await tries(
      11,
      () => ATTACKER,
      () => victim.email,
    );
    expect((await login(victim.email, victim.password, HOME)).statusCode).toBe(200);
  });
});

it("a known browser has ten wrong tries in a minute, and is known no more after a change of the password", async () => {
  const { db, victim, login, enter, known } = await open();
  const browser_token = await known();
  for (let index = 0; index < 10; index++)
    expect((await login(victim.email, "wrong password 1", HOME, { browser_token })).statusCode).toBe(401);
  expect((await login(victim.email, victim.password, HOME, { browser_token })).statusCode).toBe(429);
  // Its failures are not the address's.
  expect(await enter(HOME)).toBe(200);
  const password_hash = await hashPassword("another horse 1");
  await db.updateTable("users").set({ password_hash }).where("uuid", "=", victim.uuid).execute();
  // A stranger's try by now, which is within their limits.
  expect((await login(victim.email, victim.password, HOME, { browser_token })).statusCode).toBe(401);
});

describe("whoever has a whole IPv6 prefix", () => {
  it.each([
    ["a /48 fails 200 times a minute", (index: number) => `2001:db8:1:${index.toString(16)}::1`, 200],
    ["a /32 fails 2000 times a minute", (index: number) => `2001:db8:${index.toString(16)}::1`, 2000],
  ])("%s, and no other network has less for it", async (_, from, max) => {
    const { admit } = await limits();
    const admitted: boolean[] = [];
    for (let index = 0; index < max + 5; index++) admitted.push(await admit(from(index), `name-${index}`));
    expect(admitted.lastIndexOf(true)).toBe(max - 1);
    expect(await admit("2001:db9:1:1::1", "name")).toBe(true);
  });

  it("uses up no more of a wider network than one customer may", async () => {
    const { admit } = await limits();
    for (let index = 0; index < 300; index++) await admit("2001:db8:1:2::1", `name-${index}`);
    for (let index = 0; index < 180; index++) expect(await admit(`2001:db8:1:a${index}::1`, `a-${index}`)).toBe(true);
    expect(await admit("2001:db8:1:3::1", "name")).toBe(false);
  });

  it("is a clean address only until 30 of them have failed", async () => {
    const { admit, clock } = await limits();
    const admitted: boolean[] = [];
    // Ten are the account's own.
    for (let index = 0; index < 60; index++) {
      admitted.push(await admit(`2001:db8:1:${index.toString(16)}::1`, "victim"));
      if (index % 10 === 9) await clock.advance(60_000);
    }
    for (let index = 0; index < 11; index++) await admit(`203.0.113.${index}`, "victim");
    expect(await admit("2001:db8:1:aaaa::1", "victim")).toBe(false);
    expect(await admit("2001:db8:2:aaaa::1", "victim")).toBe(true);
  });
});

it("an account opens 300 sessions an hour, whoever signs in", async () => {
  const { db, clock, victim, enter, known } = await open();
  const limiter = new DatabaseRateLimiter({ db, clock, secret: await secretFor(db, "attempts") });
  const token = await known();
  for (let index = 0; index < 298; index++) await limiter.take(signInsOfAccount, victim.uuid);
  expect(await enter(HOME)).toBe(200);
  expect(await enter(HOME)).toBe(429);
  expect(await enter(ATTACKER, token)).toBe(429);
  await clock.advance(3_600_000);
  expect(await enter(HOME)).toBe(200);
});

describe("an address", () => {
  it.each([
    ["all addresses of a customer with IPv6", (index: number) => `2001:db8:1:2::${index}`, [20, 5]],
    ["those of other customers do not", (index: number) => `2001:db8:1:${index}::1`, [25, 0]],
  ])("counts together: %s", async (_, from, expected) => {
    const { tries } = await open();
    const statuses = await tries(25, from, (index) => `name-${index}@fernworks.test`);
    expect([count(statuses, 401), count(statuses, 429)]).toEqual(expected);
  });

  it("is not what a client says in X-Forwarded-For", async () => {
    const { call } = await open();
    const statuses: number[] = [];
    for (let index = 0; index < 22; index++) {
      const headers = { "x-forwarded-for": `203.0.113.${index}` };
      const body = { email: `name-${index}@fernworks.test`, password: "wrong password 1" };
      statuses.push((await call("POST", "/v1/users/login", { body, headers })).statusCode);
    }
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([20, 2]);
  });

  it("is not refused for sign-ins that succeed", async () => {
    const { enter } = await open();
    for (let index = 0; index < 25; index++) expect(await enter(HOME)).toBe(200);
  });
});
