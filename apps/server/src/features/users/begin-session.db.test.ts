import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { connectSocket } from "../../testing/connect-socket.ts";
import { aUser } from "../../testing/factories.ts";

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; rv:147.0) Gecko/20100101 Firefox/147.0";
const SAFARI = "Mozilla/5.0 (Macintosh; Intel Mac OS X 15_3) AppleWebKit/605.1.15 Version/18.3 Safari/605.1.15";
const HOME = "192.0.2.7";
const CAFE = "198.51.100.4";

/** Robin, who has never signed in. */
async function newcomer() {
  const test = await createTestApp({ publicUrl: "https://devices.example" });
  const robin = await aUser(test.db);
  const signIn = async (from: string, userAgent: string, browser_token?: string, who = robin): Promise<string> => {
    const { email, password } = who;
    const body = { email, password, browser_token };
    const login = await test.call("POST", "/v1/users/login", { body, from, headers: { "user-agent": userAgent } });
    expect(login.statusCode).toBe(200);
    return login.json<{ browser_token: string }>().browser_token;
  };
  const mails = async () => {
    const { rows } = await sql<{ to_address: string; subject: string; text: string }>`
      SELECT to_address, subject, text FROM mails ORDER BY created_at`.execute(test.db);
    return rows;
  };
  return { ...test, robin, signIn, mails };
}

describe("a sign-in from a new place", () => {
  it("is told to the account's owner, with a link to where they are signed in", async () => {
    const { robin, signIn, mails } = await newcomer();
    await signIn(HOME, FIREFOX);
    await signIn(CAFE, SAFARI);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to_address: robin.email, subject: "New sign-in to your Terrarium account" });
    expect(mail?.text).toContain(
      `The account ${robin.email} was signed in to on 2 March 2026 at 09:00 UTC, with Safari on macOS, from the address ${CAFE}.`,
    );
    expect(mail?.text).toContain("https://devices.example/profile#sessions");
  });

  it("is not the first one, nor one from a place that is known by now", async () => {
    const { signIn, mails } = await newcomer();
    await signIn(HOME, FIREFOX);
    expect(await mails()).toEqual([]);
    await signIn(HOME, FIREFOX.replaceAll("147", "148"));
    expect(await mails()).toEqual([]);
    for (let times = 0; times < 2; times++) await signIn(CAFE, FIREFOX);
    expect(await mails()).toHaveLength(1);
  });

  it("is one with another program from a known network", async () => {
    const { signIn, mails } = await newcomer();
    await signIn(HOME, FIREFOX);
    await signIn(HOME, "curl/8.14.1");
    expect((await mails())[0]?.text).toContain("with curl,");
  });

  it("is none with a known browser, which may travel", async () => {
    const { signIn, mails } = await newcomer();
    const browser = await signIn(HOME, FIREFOX);
    await signIn(CAFE, FIREFOX, browser);
    expect(await mails()).toEqual([]);
    await signIn("203.0.113.9", FIREFOX, "nonsense");
    expect(await mails()).toHaveLength(1);
  });

  it("is still one after every session has ended and was forgotten", async () => {
    const { db, signIn, mails } = await newcomer();
    await signIn(HOME, FIREFOX);
    await db.deleteFrom("sessions").execute();
    await signIn(CAFE, FIREFOX);
    expect(await mails()).toHaveLength(1);
  });

  it("is told five times an hour at most, so that nobody's mailbox is flooded", async () => {
    const { clock, signIn, mails } = await newcomer();
    await signIn(HOME, FIREFOX);
    clock.step(2 * 3_600_000);
    for (let index = 0; index < 8; index++) await signIn(`203.0.113.${index}`, FIREFOX);
    expect(await mails()).toHaveLength(5);
    clock.step(3_600_001);
    await signIn("203.0.113.100", FIREFOX);
    expect(await mails()).toHaveLength(6);
  });

  it("is remembered without its address or program, fifty places at most", async () => {
    const { db, clock, robin, signIn } = await newcomer();
    await signIn(HOME, FIREFOX);
    const { rows } = await sql<{ row: string }>`SELECT sign_in_places::text AS row FROM sign_in_places`.execute(db);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toMatch(/192|Firefox|Windows/);
    const earlier = new Date(clock.now() - 1);
    await sql`INSERT INTO sign_in_places SELECT ${robin.uuid}, sha256(n::text::bytea), ${earlier}, ${earlier}
      FROM generate_series(1, 49) AS n`.execute(db);
    await signIn(CAFE, FIREFOX);
    const left = await db.selectFrom("sign_in_places").select("seen_at").execute();
    expect(left).toHaveLength(50);
    expect(left.filter(({ seen_at }) => seen_at > earlier)).toHaveLength(2);
  });

  it("is of one person, whoever else signs in, and however often", async () => {
    const { db, signIn, mails } = await newcomer();
    for (let index = 0; index < 8; index++) await signIn(`203.0.113.${index}`, FIREFOX);
    const kim = await aUser(db);
    await signIn(HOME, FIREFOX, undefined, kim);
    const toKim = async () => (await mails()).filter(({ to_address }) => to_address === kim.email);
    expect(await toKim()).toEqual([]);
    await signIn(CAFE, FIREFOX, undefined, kim);
    expect(await toKim()).toHaveLength(1);
  });

  it("is forgotten only after those of the same person that were seen less recently", async () => {
    const { db, clock, robin, signIn, mails } = await newcomer();
    await signIn(HOME, FIREFOX);
    clock.step(1_000);
    const kim = await aUser(db);
    const know = (who: { uuid: string }, count: number, at: Date) =>
      sql`INSERT INTO sign_in_places SELECT ${who.uuid}, sha256(n::text::bytea), ${at}, ${at}
        FROM generate_series(1, ${count}::int) AS n`.execute(db);
    await know(robin, 49, new Date(clock.now()));
    clock.step(2 * 3_600_000);
    await know(kim, 50, new Date(clock.now() + 1));
    for (const from of [HOME, CAFE, HOME, CAFE]) await signIn(from, FIREFOX);
    expect(await mails()).toHaveLength(1);
    const ofKim = await db.selectFrom("sign_in_places").select("mark").where("user_uuid", "=", kim.uuid).execute();
    expect(ofKim).toHaveLength(50);
  });

  it("leaves no mail if there is no session", async () => {
    const { db, robin, signIn, mails, call } = await newcomer();
    await signIn(HOME, FIREFOX);
    await db.updateTable("users").set({ is_enabled: false }).where("uuid", "=", robin.uuid).execute();
    const { email, password } = robin;
    expect((await call("POST", "/v1/users/login", { body: { email, password }, from: CAFE })).statusCode).toBe(403);
    expect(await mails()).toEqual([]);
  });
});

describe("whoever is signed in", () => {
  it.each([
    ["role", { is_organization_manager: true }],
    ["name", { first_name: "Rob" }],
    ["terms", { tnc_accepted_at: null }],
  ])("hears on every socket that their %s is another now, and nobody else does", async (_, change) => {
    const test = await createTestApp({ listen: true });
    const robin = await test.as();
    const colleague = await test.as({ organization: robin.user.organization_uuid ?? "" });
    const [one, two, other] = await Promise.all(
      [robin, robin, colleague].map((person) => connectSocket(test.port, person, ["websocket"])),
    );
    // A change of role also makes sockets connect anew, after which pages read everything again; that is not looked at here.
    await sql`ALTER TABLE users DISABLE TRIGGER user_role_changed`.execute(test.db);
    const set = (fields: object, uuid: string) =>
      test.db.updateTable("users").set(fields).where("uuid", "=", uuid).execute();
    await set({ front_preferences: JSON.stringify({ theme: "dark" }) }, robin.user.uuid);
    await set(change, robin.user.uuid);
    const told = { channel: "user-updates", uuid: robin.user.uuid };
    expect([await one?.count(1), await two?.count(1)]).toEqual([[told], [told]]);
    await set({ first_name: "Kim" }, colleague.user.uuid);
    expect(await other?.count(1)).toEqual([{ channel: "user-updates", uuid: colleague.user.uuid }]);
  });
});
