import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Mailer } from "../../platform/mail/mailer.ts";
import { createLog } from "../../platform/log.ts";
import { JobWorker } from "../../platform/jobs/worker.ts";
import { deleteOldMails, sendMailJob } from "../../platform/mail/send-mail.ts";
import { createTestApp } from "../../testing/app.ts";
import { aUser } from "../../testing/factories.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { openDemo } from "../demo/demo.ts";
import { deleteUnusedAccounts } from "./profile.jobs.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** What is mailed is read in the database. */
const mailer: Mailer = { send: async () => undefined };

async function retained(accountDays = 548) {
  const test = await createTestApp();
  const { db, clock, audit } = test;
  const robin = await test.as();
  const kim = await test.as({ organization: robin.user.organization_uuid ?? "", role: "manager" });
  const log = createLog("silent", "test");
  const deps = { db, clock, log, audit, mailer, retention: { accountDays }, pagesAt: () => "https://devices.example" };
  const worker = new JobWorker({ db, clock, log, jobs: [sendMailJob], deps: { db, clock, mailer } });
  const runAlone = () => deleteUnusedAccounts.run(deps);
  return {
    ...test,
    robin,
    kim,
    /** What it writes waits in the outbox. */
    runAlone,
    send: () => worker.runDue(),
    /** What it writes is sent at once; the text stays for tests to read. */
    async run(others: Partial<typeof deps> | { mailer: undefined } = {}) {
      await deleteUnusedAccounts.run({ ...deps, ...others });
      await sql`UPDATE mails SET sent_at = ${new Date(clock.now())} WHERE sent_at IS NULL`.execute(db);
    },
    signIn: ({ user: { email, password } }: typeof robin) =>
      test.call("POST", "/v1/users/login", { body: { email, password } }),
    /** Runs these while another transaction holds Robin's account, and changes it at last. */
    async whileHeld(runs: (() => Promise<void>)[], change: { last_sign_in_at?: Date } = {}) {
      const { uuid } = robin.user;
      const { running } = await db.transaction().execute(async (trx) => {
        await trx
          .updateTable("users")
          .set({ uuid, ...change })
          .where("uuid", "=", uuid)
          .execute();
        const begun = Promise.all(runs.map((each) => each()));
        await untilBlocked(db, runs.length);
        return { running: begun };
      });
      await running;
    },
    exists: async (who: typeof robin) =>
      (await db.selectFrom("users").select("deleted_at").where("uuid", "=", who.user.uuid).executeTakeFirstOrThrow())
        .deleted_at === null,
    mails: async () => {
      const { rows } = await sql<{ to_address: string; subject: string; text: string }>`
        SELECT to_address, subject, text FROM mails ORDER BY created_at, to_address`.execute(db);
      return rows;
    },
  };
}

describe("an account that nobody uses", () => {
  it("is never an operator's: they may use the operator tool alone", async () => {
    const { db, clock, run, mails } = await retained();
    const { email } = await aUser(db, { role: "guest", fields: { is_operator: true } });
    await clock.advance(600 * DAY_MS);
    await run();
    expect((await mails()).map(({ to_address }) => to_address)).not.toContain(email);
  });

  it("is announced to be deleted after 18 months, once, and is deleted a month later", async () => {
    const { robin, kim, clock, run, exists, mails, signIn, audited } = await retained();
    await clock.advance(548 * DAY_MS - 1);
    await signIn(kim);
    await run();
    expect(await mails()).toEqual([]);
    await clock.advance(1);
    await run();
    await run();
    const [notice, ...others] = await mails();
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ to_address: robin.user.email, subject: "Your Terrarium account will be deleted" });
    // 2 March 2026, 548 days and 30.
    expect(notice?.text).toContain("October 1, 2027");
    expect(notice?.text).toContain("https://devices.example/signin");
    await clock.advance(30 * DAY_MS - 1);
    await run();
    expect(await exists(robin)).toBe(true);
    await clock.advance(1);
    await run();
    expect([await exists(robin), await exists(kim)]).toEqual([false, true]);
    expect((await mails()).at(-1)).toMatchObject({ to_address: robin.user.email });
    expect((await mails()).at(-1)?.text).toContain("as we announced");
    expect((await audited()).find(({ action }) => action === "user.delete")).toMatchObject({
      details: { reason: "unused" },
    });
  });

  it("is deleted a month after the notice was sent, however long that took", async () => {
    const { robin, kim, clock, runAlone, send, exists, signIn } = await retained();
    await clock.advance(548 * DAY_MS);
    await signIn(kim);
    await runAlone();
    await clock.advance(2 * DAY_MS);
    await runAlone();
    await send();
    await clock.advance(30 * DAY_MS - 1);
    await runAlone();
    expect(await exists(robin)).toBe(true);
    await clock.advance(1);
    await runAlone();
    expect(await exists(robin)).toBe(false);
  });

  it("is announced again when the notice could never be sent, and stays until then", async () => {
    const { robin, kim, clock, db, runAlone, send, exists, signIn } = await retained();
    const unsent = async () => (await sql`SELECT FROM mails WHERE sent_at IS NULL`.execute(db)).rows.length;
    await clock.advance(548 * DAY_MS);
    await signIn(kim);
    await runAlone();
    await clock.advance(31 * DAY_MS);
    await deleteOldMails.run({ db, clock });
    expect(await unsent()).toBe(0);
    await runAlone();
    expect([await exists(robin), await unsent()]).toEqual([true, 1]);
    await send();
    await clock.advance(30 * DAY_MS);
    await runAlone();
    expect(await exists(robin)).toBe(false);
  });

  it("stays when its owner signs in after the notice, and gets another notice 18 months later", async () => {
    const { robin, clock, run, exists, mails, signIn } = await retained();
    await clock.advance(548 * DAY_MS);
    await run();
    expect((await mails()).map(({ to_address }) => to_address)).toContain(robin.user.email);
    expect((await signIn(robin)).statusCode).toBe(200);
    await clock.advance(31 * DAY_MS);
    await run();
    expect(await exists(robin)).toBe(true);
    await clock.advance(518 * DAY_MS);
    await run();
    const toRobin = (await mails()).filter(({ to_address }) => to_address === robin.user.email);
    expect(toRobin.length).toBeGreaterThan(0);
    expect(await exists(robin)).toBe(true);
  });

  it("counts as used while programs call with its API tokens", async () => {
    const { robin, clock, run, call, exists } = await retained();
    const { token } = (await robin.post("/v1/api-tokens", { description: "ci" })).json<{ token: string }>();
    await clock.advance(548 * DAY_MS);
    await run();
    expect((await call("GET", "/v2/instances", { headers: { "x-api-token": token } })).statusCode).toBe(200);
    await clock.advance(31 * DAY_MS);
    await run();
    expect(await exists(robin)).toBe(true);
    // The notice from then does not count any more.
    await clock.advance(548 * DAY_MS);
    await run();
    expect(await exists(robin)).toBe(true);
  });

  it("stays when its organization cannot do without it, and is not announced", async () => {
    const { robin, kim, clock, run, exists, mails, signIn } = await retained();
    await clock.advance(548 * DAY_MS);
    await signIn(robin);
    for (let month = 0; month < 2; month++) {
      await run();
      await clock.advance(30 * DAY_MS);
    }
    expect(await exists(kim)).toBe(true);
    expect((await mails()).map(({ to_address }) => to_address)).not.toContain(kim.user.email);
  });

  it("stays when it is one of the demonstration", async () => {
    const { db, clock, audit, run } = await retained();
    await openDemo({ db, clock, audit }, { isLocal: true });
    for (let turn = 0; turn < 2; turn++) {
      await clock.advance(600 * DAY_MS);
      await run();
    }
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer FROM users WHERE email LIKE '%@demo.test'`.execute(db);
    expect(rows[0]?.count).toBe(3);
  });

  it("stays without a server that sends mails, as nobody would be told", async () => {
    const { robin, kim, clock, run, exists, mails, signIn } = await retained(10);
    await clock.advance(10 * DAY_MS);
    await signIn(kim);
    await run({ mailer: undefined });
    expect(await mails()).toEqual([]);
    await run();
    await clock.advance(30 * DAY_MS);
    await signIn(kim);
    await run({ mailer: undefined });
    expect(await exists(robin)).toBe(true);
    await run();
    expect(await exists(robin)).toBe(false);
  });

  /** Robin and a colleague, the one whose account ends first in front, are due; `sql` runs when that one's account is deleted. */
  async function twoDue(before: (second: string) => string) {
    const test = await retained(10);
    const colleague = await test.as({ organization: test.robin.user.organization_uuid ?? "" });
    const both = [test.robin, colleague];
    for (const person of both)
      expect((await person.post("/v1/api-tokens", { description: "ci" })).statusCode).toBe(201);
    await test.clock.advance(10 * DAY_MS);
    await test.run();
    await test.clock.advance(30 * DAY_MS);
    await test.signIn(test.kim);
    const [first, second] = both.toSorted((one, other) => (one.user.uuid < other.user.uuid ? -1 : 1));
    await sql
      .raw(
        `CREATE FUNCTION meanwhile() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF OLD.uuid = '${first?.user.uuid}' THEN ${before(second?.user.uuid ?? "")}; END IF;
          RETURN OLD;
        END $$`,
      )
      .execute(test.db);
    await sql`CREATE TRIGGER meanwhile BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION meanwhile()`.execute(
      test.db,
    );
    await test.run();
    return [await test.exists(first ?? colleague), await test.exists(second ?? colleague)];
  }

  it.each([
    [
      "its owner signs in",
      (uuid: string) =>
        `UPDATE users SET last_sign_in_at = '2026-04-11', deletion_notice_at = NULL WHERE uuid = '${uuid}'`,
    ],
    [
      "a program calls with its API token",
      (uuid: string) => `UPDATE api_tokens SET last_access = '2026-04-11' WHERE user_uuid = '${uuid}'`,
    ],
  ])("stays when %s while others are being deleted", async (_, use) => {
    expect(await twoDue(use)).toEqual([false, true]);
  });

  it("is deleted also when another cannot be", async () => {
    expect(await twoDue(() => "RAISE EXCEPTION 'not this one'")).toEqual([true, false]);
  });

  it("is told and deleted once by servers that look at the same moment", async () => {
    const { clock, run, mails, signIn, kim, whileHeld } = await retained(10);
    await clock.advance(10 * DAY_MS);
    await signIn(kim);
    await whileHeld([run, run]);
    expect(await mails()).toHaveLength(1);
    await clock.advance(30 * DAY_MS);
    await signIn(kim);
    await whileHeld([run, run]);
    expect(await mails()).toHaveLength(1);
  });

  it("is not announced when its owner signs in at that moment", async () => {
    const { clock, run, mails, signIn, kim, whileHeld } = await retained(10);
    await clock.advance(10 * DAY_MS);
    await signIn(kim);
    await whileHeld([run], { last_sign_in_at: new Date(clock.now()) });
    expect(await mails()).toEqual([]);
  });
});
