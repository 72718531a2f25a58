import { TestClock } from "@terrarium/clock";
import { type RawBuilder, sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Schema } from "../../database/schema.ts";
import { createDatabase } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { createLog } from "../../platform/log.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { Audit } from "./audit.ts";
import { deleteOldAuditRecords } from "./audit.jobs.ts";
import { findLastBefore } from "./chain.store.ts";
import { deleteBefore, sealRecords, verifyChain } from "./chain.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A log with some records in its chain. */
async function sealed(count = 5) {
  const { db, url } = await createTestDatabase();
  const clock = new TestClock();
  const audit = new Audit({ clock, log: createLog("silent", "test") });
  const record = async (names = [""], trx = db) =>
    audit.record(
      trx,
      { kind: "service" },
      ...names.map((name) => ({ action: "user.create", details: { name } }) as const),
    );
  if (count > 0) await record(Array.from({ length: count }, (_, index) => `Moss ${index}`));
  await sealRecords(db);
  return {
    db,
    url,
    clock,
    record,
    /** Changes the rows as somebody does who owns the database. */
    async tamper(change: RawBuilder<unknown>) {
      await sql`ALTER TABLE audit_records DISABLE TRIGGER USER`.execute(db);
      await change.execute(db);
      await sql`ALTER TABLE audit_records ENABLE TRIGGER USER`.execute(db);
    },
    verify: (known?: Parameters<typeof verifyChain>[1]) => verifyChain(db, known),
    forget: () => deleteOldAuditRecords.run({ db, clock, retention: { auditDays: 90 } }),
    positions: async () =>
      (await db.selectFrom("audit_records").select("position").orderBy("position").execute()).map(
        ({ position }) => position,
      ),
  };
}

describe("the hash chain of the audit log", () => {
  it("covers every record, and says how many wait", async () => {
    const { verify, record, db } = await sealed();
    const before = await verify();
    expect(before).toMatchObject({ sealed: 5, unsealed: 0, end: { position: 5 } });
    await record();
    expect(await verify()).toEqual({ ...before, unsealed: 1 });
    await sealRecords(db);
    const after = await verify();
    expect(after).toMatchObject({ sealed: 6, unsealed: 0 });
    expect(after.end.hash).not.toBe(before.end.hash);
  });

  it.each([
    ["the identifier", sql`id = DEFAULT`],
    ["the time, by a microsecond", sql`at = at + interval '1 microsecond'`],
    ["the action", sql`action = 'user.creatd'`],
    ["the outcome", sql`outcome = 'refused'`],
    ["the actor", sql`actor_kind = 'operator'`],
    ["the person", sql`actor_uuid = gen_random_uuid()`],
    ["the credential", sql`credential_uuid = gen_random_uuid()`],
    ["the organization", sql`organization_uuid = gen_random_uuid()`],
    ["the subject", sql`subject_kind = 'recipe'`],
    ["its identifier", sql`subject_uuid = gen_random_uuid()`],
    ["the address", sql`address = '203.0.113.7'`],
    ["the request", sql`request_id = 'another'`],
    ["a bit of the details", sql`details = '{"name": "Loss 2"}'`],
    ["the hash", sql`hash = set_bit(hash, 0, 1 - get_bit(hash, 0))`],
  ])("names the record in which somebody has changed %s", async (_, change) => {
    const { verify, tamper, db } = await sealed();
    await tamper(sql`UPDATE audit_records SET ${change} WHERE position = 3`);
    const { id } = await db
      .selectFrom("audit_records")
      .select("id")
      .where("position", "=", 3)
      .executeTakeFirstOrThrow();
    expect((await verify()).fault).toEqual({ position: 3, says: `record ${id} was changed` });
  });

  it.each([
    ["the first", 1],
    ["one in the middle", 3],
    ["the last", 5],
  ])("names the place of a record that somebody has deleted: %s", async (_, position) => {
    const { verify, tamper } = await sealed();
    await tamper(sql`DELETE FROM audit_records WHERE position = ${position}`);
    expect((await verify()).fault).toEqual({ position, says: "the record is missing" });
  });

  it("notices that two records have changed places, and one behind the end", async () => {
    const { verify, tamper, db } = await sealed();
    await tamper(sql`UPDATE audit_records SET position = 9 WHERE position = 5`);
    expect((await verify()).fault).toEqual({ position: 5, says: "the record is missing" });
    for (const [from, to] of [
      [9, 5],
      [2, 9],
      [4, 2],
      [9, 4],
    ])
      await tamper(sql`UPDATE audit_records SET position = ${to} WHERE position = ${from}`);
    expect((await verify()).fault).toMatchObject({ position: 2, says: expect.stringContaining("was changed") });
    await db.updateTable("audit_chain").set({ position: 1 }).execute();
    expect((await verify()).fault).toMatchObject({ position: 2, says: expect.stringContaining("behind the end") });
  });

  it("notices that all hashes were computed anew, if its end was noted elsewhere", async () => {
    const { verify, tamper, db } = await sealed();
    const { end } = await verify();
    expect((await verify(end)).fault).toBeUndefined();
    await tamper(sql`UPDATE audit_records SET outcome = 'refused', position = NULL, hash = NULL`);
    await sql`UPDATE audit_chain SET position = 0, hash = deleted_hash`.execute(db);
    await sealRecords(db);
    expect((await verify()).fault).toBeUndefined();
    expect((await verify(end)).fault).toEqual({
      position: 5,
      says: "the chain does not have the hash here that was noted",
    });
    expect((await verify({ ...end, position: 6 })).fault).toEqual({
      position: 5,
      says: "the chain ends before the position that was noted",
    });
  });

  it("is the same wherever it is computed, in the order in which records were found", async () => {
    const { db, url, verify } = await sealed();
    const elsewhere = createDatabase<Schema>(
      `${url}${url.includes("?") ? "&" : "?"}options=-c%20TimeZone%3DAsia/Tokyo`,
      {
        max: 1,
      },
    );
    const { rows } = await sql<{ zone: string }>`SELECT current_setting('TimeZone') AS zone`.execute(elsewhere);
    const verdict = await verifyChain(elsewhere);
    await elsewhere.destroy();
    expect([rows[0]?.zone, verdict]).toEqual(["Asia/Tokyo", await verify()]);
    expect(verdict.fault).toBeUndefined();
    const ids = await db.selectFrom("audit_records").select("id").orderBy("position").execute();
    expect(ids).toEqual(ids.toSorted((a, b) => a.id - b.id));
  });

  it("is read to its end, however long it is", async () => {
    const { verify, tamper, record, db } = await sealed(0);
    await record(Array.from({ length: 5_100 }, (_, index) => `${index}`));
    await sealRecords(db);
    expect(await verify()).toMatchObject({ sealed: 5_100, unsealed: 0 });
    expect((await verify()).fault).toBeUndefined();
    await tamper(sql`UPDATE audit_records SET outcome = 'refused' WHERE position = 5_050`);
    expect((await verify()).fault).toMatchObject({ position: 5_050 });
  });

  it("is left to whoever seals it: nobody waits", async () => {
    const { verify, record, db, clock } = await sealed();
    await record();
    await transaction(db, async (trx) => {
      await sql`SELECT FROM audit_chain FOR UPDATE`.execute(trx);
      await sealRecords(db);
      await deleteBefore(db, new Date(clock.now() + 1));
      expect(await verify()).toMatchObject({ sealed: 5, unsealed: 1 });
    });
    await sealRecords(db);
    expect(await verify()).toMatchObject({ sealed: 6, unsealed: 0 });
  });

  it("takes what commits late, behind what was recorded after it", async () => {
    const { verify, record, db } = await sealed(0);
    let commit = () => {};
    const isOpen = new Promise<void>((resolve) => (commit = resolve));
    let isWritten = () => {};
    const written = new Promise<void>((resolve) => (isWritten = resolve));
    const late = transaction(db, async (trx) => {
      await record(["late"], trx);
      isWritten();
      await isOpen;
    });
    await written;
    await record(["early"]);
    await sealRecords(db);
    expect(await verify()).toMatchObject({ sealed: 1, unsealed: 0 });
    commit();
    await late;
    await sealRecords(db);
    expect(await verify()).toMatchObject({ sealed: 2, unsealed: 0 });
    expect((await verify()).fault).toBeUndefined();
    const order = await db.selectFrom("audit_records").select("details").orderBy("position").execute();
    expect(order.map(({ details }) => details["name"])).toEqual(["early", "late"]);
  });

  it("has no gap and no fork when several processes write and seal", async () => {
    const { verify, record, db, positions } = await sealed(0);
    const names = Array.from({ length: 300 }, (_, index) => `${index}`);
    const writers = Array.from({ length: 8 }, async () => {
      await record(names);
      await sealRecords(db);
    });
    await Promise.all(writers);
    await sealRecords(db);
    expect(await verify()).toMatchObject({ sealed: 2400, unsealed: 0 });
    expect((await verify()).fault).toBeUndefined();
    expect(await positions()).toEqual(Array.from({ length: 2400 }, (_, index) => index + 1));
  });

  it("is not sealed whole by one run, nor deleted, so that a server can stop", async () => {
    const { verify, record, clock, db } = await sealed(0);
    await record(Array.from({ length: 2_500 }, (_, index) => `${index}`));
    await sealRecords(db, 2);
    expect(await verify()).toMatchObject({ sealed: 2_000, unsealed: 500 });
    await sealRecords(db, 2);
    expect(await verify()).toMatchObject({ sealed: 2_500, unsealed: 0 });

    await deleteBefore(db, new Date(clock.now() + 1), 0);
    expect(await verify()).toMatchObject({ sealed: 2_500 });
    await deleteBefore(db, new Date(clock.now() + 1), 1);
    expect(await verify()).toMatchObject({ sealed: 0 });
  });

  it("begins with the first record that is kept, and goes on", async () => {
    const { verify, record, clock, forget, db, positions } = await sealed();
    const { end } = await verify();
    await clock.advance(1);
    await record(["kept"]);
    await clock.advance(90 * DAY_MS);
    await forget();
    expect(await positions()).toEqual([6]);
    expect(await verify()).toMatchObject({ sealed: 1, end: { position: 6 } });
    expect((await verify(end)).fault).toBeUndefined();
    await clock.advance(1);
    await forget();
    expect(await positions()).toEqual([]);
    await record(["new"]);
    await sealRecords(db);
    expect(await verify()).toMatchObject({ sealed: 1, unsealed: 0, end: { position: 7 } });
    expect((await verify()).fault).toBeUndefined();
    expect((await verify(end)).fault).toMatchObject({ says: "what was noted is older than the records that are kept" });
  });

  it("keeps an old record behind a newer one, so that there is no hole, until that is old too", async () => {
    const { record, clock, forget, db, positions } = await sealed(0);
    await clock.advance(DAY_MS);
    await record(["newer"]);
    await sealRecords(db);
    clock.step(-DAY_MS);
    await record(["older"]);
    await clock.advance(90 * DAY_MS + 1);
    await forget();
    expect(await positions()).toEqual([1, 2]);
    await clock.advance(DAY_MS);
    await forget();
    expect(await positions()).toEqual([]);
  });

  it("looks for old records behind a hole, however long it is", async () => {
    const { db, clock, tamper } = await sealed();
    await tamper(sql`DELETE FROM audit_records WHERE position < 4`);
    const find = async (limit: number, after = 0) =>
      (await findLastBefore(db, { after, time: new Date(clock.now() + 1), limit }))?.position;
    expect([await find(1), await find(2), await find(9), await find(1, 4)]).toEqual([4, 5, 5, 5]);
  });

  it("gives a record its place once", async () => {
    const { db } = await sealed();
    for (const change of [sql`position = 9`, sql`hash = decode('00', 'hex')`, sql`position = NULL, hash = NULL`])
      await expect(sql`UPDATE audit_records SET ${change} WHERE position = 3`.execute(db)).rejects.toThrow(
        "audit records cannot be changed",
      );
  });
});
