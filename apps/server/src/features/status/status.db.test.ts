import type { PlatformStatus } from "@terrarium/contract";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { createTestApp } from "../../testing/app.ts";
import { aTenant } from "../../testing/tenant.ts";
import { startServerBeat } from "../operator/server-beat.ts";
import { upsertGateway } from "../instances/gateways.ts";
import { statusReader } from "./status.ts";
import { createLog } from "../../platform/log.ts";

const roles = ["api", "realtime", "jobs", "gateway"];

async function open() {
  const test = await createTestApp();
  const { db, clock, call } = test;
  const log = createLog("silent", "test");
  const beat = await startServerBeat({ db, clock, log, roles, version: "1" });
  await upsertGateway(db, "one", "127.0.0.1:1", null);
  /** `later`: seconds after which what was read before is not fresh. */
  const ask = async (later = 16): Promise<PlatformStatus> => {
    await clock.advance(later * 1000);
    const reply = await call("GET", "/status.json");
    expect(reply.statusCode).toBe(200);
    return reply.json();
  };
  const statesOf = ({ components }: PlatformStatus) =>
    components.flatMap(({ id, status }) => (status === "operational" ? [] : [[id, status]]));
  return { ...test, log, beat, ask, statesOf };
}

it("tells anybody how the service is, in the words of status pages", async () => {
  const { ask, clock, beat } = await open();
  expect(await ask()).toEqual({
    page: { updated_at: new Date(clock.now()).toISOString() },
    status: { indicator: "none", description: "All systems operational" },
    components: ["API", "Devices", "Displays", "Mail", "Payments", "Background work"].map((name) => ({
      id: name === "Background work" ? "jobs" : name.toLowerCase(),
      name,
      status: "operational",
    })),
  });
  await beat.stop();
});

it("says which parts are out, from what is so", async () => {
  const { ask, statesOf, db, beat } = await open();
  await db.deleteFrom("gateways").execute();
  // The gateway of a server that has just begun may be on its way.
  expect((await ask()).status.indicator).toBe("none");
  const without = await ask();
  expect(without.status).toEqual({ indicator: "major", description: "Partial system outage" });
  expect(statesOf(without)).toEqual([
    ["devices", "major_outage"],
    ["displays", "major_outage"],
  ]);
  await upsertGateway(db, "one", "127.0.0.1:1", null);
  await beat.stop();
  expect(statesOf(await ask())).toEqual([
    ["api", "degraded_performance"],
    ["mail", "major_outage"],
    ["jobs", "major_outage"],
  ]);
});

it("counts devices without a gateway once they have waited, and mails that no server takes", async () => {
  const test = await open();
  const { ask, statesOf, db, clock, beat } = test;
  const tenant = await aTenant(test);
  await tenant.owner.start();
  await sql`UPDATE jobs SET state = 'done'`.execute(db);
  expect(statesOf(await ask(31))).toEqual([]);
  expect(statesOf(await ask())).toEqual([
    ["devices", "degraded_performance"],
    ["displays", "degraded_performance"],
  ]);
  // One that has been online for long, and whose gateway's place another takes.
  await db.updateTable("instances").set({ lease_holder: "one", state: "ONLINE" }).execute();
  expect(statesOf(await ask(7200))).toEqual([]);
  await db.updateTable("instances").set({ lease_holder: null }).execute();
  expect(statesOf(await ask())).toEqual([]);
  await db.updateTable("instances").set({ lease_holder: "one", lease_epoch: 7 }).execute();
  expect(statesOf(await ask())).toEqual([]);
  await db.updateTable("instances").set({ state: "DELETED" }).execute();
  const mail = async (address: string) => {
    await sendMail(db, clock, { to: { address }, subject: "Fern", text: "", html: "" });
    await sql`UPDATE jobs SET due_at = ${new Date(clock.now() + 3_600_000)} WHERE state = 'waiting'`.execute(db);
  };
  // A server may refuse somebody for ever.
  await mail("robin@fern.test");
  await mail("robin@fern.test");
  expect(statesOf(await ask(910))).toEqual([]);
  await mail("zoe@fern.test");
  expect(statesOf(await ask(890))).toEqual([]);
  expect(statesOf(await ask())).toEqual([["mail", "degraded_performance"]]);
  // Another one was taken since, so this one waits for its own server.
  await sql`UPDATE mails SET sent_at = ${new Date(clock.now())}`.execute(db);
  expect(statesOf(await ask())).toEqual([]);
  await beat.stop();
});

it("asks the database once for everybody, and names nothing of anybody", async () => {
  const { ask, db, call, beat } = await open();
  const first = await ask(31);
  await db.deleteFrom("gateways").execute();
  const replies = await Promise.all(Array.from({ length: 50 }, () => call("GET", "/status.json")));
  for (const reply of replies) expect(reply.json()).toEqual(first);
  expect((await ask()).status.indicator).toBe("major");
  expect(JSON.stringify(first)).not.toMatch(/pid|host|127\.|"one"|"version"/);
  await beat.stop();
});

it("answers while the database does not, and asks it no more meanwhile", async () => {
  const { db, clock, log, beat } = await open();
  const reader = statusReader({ db, clock, log, payments: {} });
  const ask = async (later: number) => {
    await clock.advance(15_000);
    const asking = reader();
    await clock.advance(later);
    return (await asking).status;
  };
  const critical = { indicator: "critical", description: "Major service outage" };
  await db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE gateways`.execute(trx);
    expect(await ask(5_000)).toEqual(critical);
    expect(await ask(5_000)).toEqual(critical);
    // Whatever else a reading asks, it has one connection.
    await expect
      .poll(async () => {
        const { rows } = await sql`SELECT FROM pg_locks WHERE relation = 'gateways'::regclass AND NOT granted`.execute(
          trx,
        );
        return rows.length;
      })
      .toBe(1);
  });
  await expect.poll(() => ask(0)).toMatchObject({ indicator: "none" });
  await beat.stop();
});
