import type { Overview } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aGroup, anOrganization } from "../../testing/factories.ts";
import { aSubscription } from "../billing/testing/plans.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { anInvoice } from "../invoices/testing/an-invoice.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function overseen() {
  const test = await createTestApp();
  const { db, clock } = test;
  const organization = await anOrganization(db);
  const manager = await test.as({ organization, role: "manager" });
  const robin = await test.as({ organization });
  const overview = async (who = manager) => (await who.get("/v1/usage/overview")).json<Overview>();
  /** A device that has been online and unused for so long. */
  const online = async (ran_ms: number, idle_ms: number, who = robin) => {
    const { uuid } = (await who.start({ rename_on_conflict: true })).json<{ uuid: string }>();
    for (const event of ["powered", "answered", "booted"] as const)
      await moveInstance(db, { uuid, event, now: new Date(clock.now() - ran_ms) });
    const measured_at = new Date(clock.now());
    await db.updateTable("instances").set({ ran_ms, idle_ms, measured_at }).where("uuid", "=", uuid).execute();
    return uuid;
  };
  return { ...test, organization, manager, robin, overview, online };
}

describe("GET /v1/usage/overview", () => {
  it("is empty where there is nothing to decide, and of one's own organization", async () => {
    const { overview, as, online, manager } = await overseen();
    await online(0, 0);
    const stranger = await as({ role: "manager" });
    await manager.post("/v1/accounts/invites", { emails: ["zoe@fern.test"] });
    await online(9 * HOUR, 0);
    expect(await overview(stranger)).toEqual({
      people: { count: 1, without_second_factor: 0 },
      invitations: { pending: 0, expiring: 0, expired: 0, refused: 0 },
      groups: [],
      left_on: { count: 0, results: [] },
      billing: { spend: 0, unbilled: 0, forecast: null, currency: "USD", last_invoice: null },
    });
  });

  it("tells what was billed this month, what is not billed yet, and the last invoice", async () => {
    const { overview, db, clock, organization, as } = await overseen();
    const now = new Date(clock.now());
    const bill = (fields: Parameters<typeof anInvoice>[2]) =>
      anInvoice(db, organization, { created_at: now, ...fields });
    await bill({ minutes: [100], tax: 100, created_at: new Date("2026-02-28T23:59:59.999Z") });
    await bill({ minutes: [7], statuses: ["PENDING", "VOID"] });
    await bill({ minutes: [13], currency: "EUR" });
    const refunds_uuid = await bill({ minutes: [200], tax: 190, statuses: ["PENDING", "ACCEPTED"] });
    await bill({ minutes: [40], nature: "CREDIT", refunds_uuid });
    const last = await bill({ minutes: [20], created_at: new Date(clock.now() + 1) });
    await aSubscription(db, organization, { plan: "payg", at: now });
    expect((await overview()).billing).toMatchObject({
      spend: 5 * (200 - 40 + 20),
      unbilled: 0,
      currency: "USD",
      last_invoice: { uuid: last, amount: 100 },
    });
    expect((await overview(await as({ role: "manager" }))).billing).toMatchObject({ spend: 0, last_invoice: null });
  });

  it("foretells the month at the pace of the last seven days or of its plan, where minutes are paid", async () => {
    const { overview, db, clock, organization, online, as } = await overseen();
    await online(70 * MINUTE, 0);
    await online(70 * MINUTE, 0);
    expect((await overview()).billing.forecast).toBeNull();
    const now = new Date(clock.now());
    await aSubscription(db, organization, { plan: "monthly", at: now });
    expect((await overview()).billing.forecast).toBeNull();
    const paid = (age: number) => aSubscription(db, organization, { plan: "payg", at: new Date(now.getTime() - age) });
    await paid(8 * DAY);
    const rest = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime();
    const { spend, forecast } = (await overview()).billing;
    expect(forecast).toBe(spend + 20_600 * Math.round((140 / 7) * (rest / DAY)));
    // Or of those since there is the plan.
    await paid(DAY);
    const young = (await overview()).billing;
    expect(young.forecast).toBe(young.spend + 20_600 * Math.round(140 * (rest / DAY)));
    await clock.advance(8 * DAY);
    await sql`UPDATE runs SET ended_at = began_at + interval '70 minutes'`.execute(db);
    const later = (await overview(await as({ organization, role: "manager" }))).billing;
    expect(later.forecast).toBe(later.spend);
  });

  it("counts invitations: pending, soon over, over, and those whose mail was refused", async () => {
    const { overview, manager, db, clock } = await overseen();
    const emails = ["a", "b", "c", "d"].map((name) => `${name}@fern.test`);
    await manager.post("/v1/accounts/invites", { emails });
    const expire = (email: string | undefined, inMs: number) =>
      db
        .updateTable("invitations")
        .set({ expires_at: new Date(clock.now() + inMs) })
        .where("email", "=", email!)
        .execute();
    await expire(emails[0], 3 * DAY - 1);
    await expire(emails[1], 3 * DAY);
    await expire(emails[2], 0);
    const { mail_uuid } = await db
      .selectFrom("invitations")
      .select("mail_uuid")
      .where("email", "=", emails[3]!)
      .executeTakeFirstOrThrow();
    await sql`UPDATE jobs SET state = 'dead' WHERE key = ${mail_uuid}`.execute(db);
    expect((await overview()).invitations).toEqual({ pending: 3, expiring: 1, expired: 1, refused: 1 });
  });

  it("counts people, and those without a second factor if it is required", async () => {
    const { overview, db, organization, as } = await overseen();
    await as({ organization });
    const denied = await as({ organization });
    await db.updateTable("users").set({ is_enabled: false }).where("uuid", "=", denied.user.uuid).execute();
    expect((await overview()).people).toEqual({ count: 4, without_second_factor: 0 });
    await db
      .updateTable("organizations")
      .set({ requires_second_factor: true })
      .where("uuid", "=", organization)
      .execute();
    expect((await overview()).people).toEqual({ count: 4, without_second_factor: 3 });
    const robin = await db
      .selectFrom("users")
      .select("uuid")
      .where("is_organization_manager", "=", false)
      .executeTakeFirstOrThrow();
    await db
      .insertInto("totp_factors")
      .values({ user_uuid: robin.uuid, secret: Buffer.from("x"), last_step: 0, created_at: new Date() })
      .execute();
    expect((await overview()).people.without_second_factor).toBe(2);
  });

  it("names groups that have used up most of their allocation, the fullest first", async () => {
    const { overview, db, organization, robin, manager, online } = await overseen();
    const full = await aGroup(db, organization, { group_allocation: 1, name: "Full", people: [manager] });
    const nearly = await aGroup(db, organization, { group_allocation: 5, name: "Nearly", people: [robin] });
    await aGroup(db, organization, { group_allocation: 0, name: "None" });
    await aGroup(db, organization, { group_allocation: 6, name: "Roomy", people: [robin] });
    await aGroup(db, organization, { name: "Without", people: [robin] });
    for (let count = 0; count < 4; count++) await online(0, 0);
    await online(0, 0, manager);
    expect((await overview()).groups).toEqual([
      { uuid: full, name: "Full", running: 1, allocation: 1 },
      { uuid: nearly, name: "Nearly", running: 4, allocation: 5 },
    ]);
  });

  it("lists devices that run for eight hours, or that nobody has used for one, the longest unused first", async () => {
    const { overview, online, robin, clock, db } = await overseen();
    await online(8 * HOUR - 1, HOUR - 1);
    const long = await online(8 * HOUR, 0);
    const idle = await online(2 * HOUR, HOUR);
    const stopped = await online(9 * HOUR, 2 * HOUR);
    await db.updateTable("instances").set({ timeout_inactivity: 0 }).where("uuid", "=", idle).execute();
    await moveInstance(db, { uuid: stopped, event: "stop", now: new Date(clock.now()) });
    const { count, results } = (await overview()).left_on;
    expect([count, results.map(({ uuid }) => uuid)]).toEqual([2, [idle, long]]);
    expect(results[0]).toMatchObject({
      owner: { uuid: robin.user.uuid, email: robin.user.email },
      online_at: new Date(clock.now() - 2 * HOUR).toISOString(),
      idle_since: new Date(clock.now() - HOUR).toISOString(),
      stops_at: null,
    });
    expect(results[1]?.stops_at).not.toBeNull();
  });

  it("lists 25 of them, and says how many there are", async () => {
    const { overview, online, db } = await overseen();
    await db.updateTable("organizations").set({ instances_max: 26 }).execute();
    for (let count = 0; count < 26; count++) await online(0, HOUR);
    const { count, results } = (await overview()).left_on;
    expect([count, results.length]).toEqual([26, 25]);
  });
});
