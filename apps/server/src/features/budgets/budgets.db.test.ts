import { type Budget, type Instance, limits, type MonthUse } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp, testSettings } from "../../testing/app.ts";
import { aGroup, anOrganization } from "../../testing/factories.ts";
import { createLog } from "../../platform/log.ts";
import { goOnline, measure } from "../billing/testing/customers.ts";
import { aSubscription } from "../billing/testing/plans.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { watchBudgets } from "./budgets.jobs.ts";
import { expectedUse, monthOf, paceSince } from "../billing/month.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const path = "/v1/budgets";

/** An organization with a manager, a group QA of Kim and its subgroup of Robin, and workers that look at budgets. */
async function spending({ after = 0 } = {}) {
  const test = await createTestApp();
  const { db, clock, as } = test;
  await clock.advance(after);
  const organization = await anOrganization(db);
  const manager = await as({ organization, role: "manager", fields: { email: "maria@fern.test" } });
  const kim = await as({ organization, fields: { email: "kim@fern.test" } });
  const robin = await as({ organization, fields: { email: "robin@fern.test" } });
  const qa = await aGroup(db, organization, { name: "QA", people: [kim] });
  await aGroup(db, organization, { name: "Night", parent_uuid: qa, people: [robin] });
  const deps = {
    db,
    clock,
    log: createLog("silent", "test"),
    offer: testSettings.offer,
    pagesAt: () => "https://fern.test",
  };
  const look = () => watchBudgets.run(deps);
  return {
    ...test,
    organization,
    manager,
    kim,
    robin,
    qa,
    look,
    create: async (body: object): Promise<Budget> => (await manager.post(path, { unit: "minutes", ...body })).json(),
    list: async (): Promise<{ month: MonthUse; results: Budget[] }> => (await manager.get(path)).json(),
    /** A device of somebody comes online. */
    online: (who: typeof kim) => goOnline(db, clock, { uuid: organization, owner: who.user.uuid }),
    /** So many minutes pass, in which gateways measure and a worker looks every minute. */
    async pass(minutes: number) {
      for (let minute = 0; minute < minutes; minute++) {
        await clock.advance(MINUTE);
        await measure(db, clock);
        await look();
      }
    },
    mails: async () => {
      const { rows } = await sql<{ mail: string }>`
        SELECT to_address || ': ' || subject AS mail FROM mails WHERE subject LIKE '%budget%' ORDER BY created_at, to_address`.execute(
        db,
      );
      return rows.map(({ mail }) => mail);
    },
    row: (uuid: string) =>
      db
        .selectFrom("instances")
        .select(["state", "reason", "budget_stops_at", "revision"])
        .where("uuid", "=", uuid)
        .executeTakeFirst(),
  };
}

describe("a budget", () => {
  it("tells its managers at 50, 80 and 100 %, each once a month, and begins again with the next", async () => {
    const { create, online, kim, pass, mails, db, clock, list } = await spending({
      after: DAY * 29 + 14 * 60 * MINUTE,
    });
    expect(new Date(clock.now()).toISOString()).toBe("2026-03-31T23:00:00.000Z");
    await create({ limit: 10 });
    const device = await online(kim);
    await pass(4);
    expect(await mails()).toEqual([]);
    await pass(12);
    const all = [
      "50 % of the budget of Fernworks is used",
      "80 % of the budget of Fernworks is used",
      "The budget of Fernworks is used up",
    ];
    expect(await mails()).toEqual(all.map((subject) => `maria@fern.test: ${subject}`));
    // It stops nothing, as that was not chosen.
    expect((await list()).results).toMatchObject([{ used: 16, limit: 10, stops_at: null }]);
    await pass(44);
    expect((await list()).results).toMatchObject([{ used: 0 }]);
    await pass(5);
    expect((await mails()).slice(3)).toEqual([`maria@fern.test: ${all[0]}`]);
    expect((await db.selectFrom("instances").select("state").where("uuid", "=", device).execute())[0]?.state).toBe(
      "ONLINE",
    );
  });

  it("tells once of several thresholds that are passed at once, whoever looks", async () => {
    const { create, online, kim, clock, db, look, mails } = await spending();
    await create({ limit: 100 });
    await online(kim);
    await clock.advance(85 * MINUTE);
    await measure(db, clock);
    await Promise.all([look(), look(), look(), look()]);
    expect(await mails()).toEqual(["maria@fern.test: 80 % of the budget of Fernworks is used"]);
    await look();
    expect(await mails()).toHaveLength(1);
  });

  it("stops its devices after a notice, and lets none start until it is raised", async () => {
    const { create, online, kim, robin, manager, pass, row, qa, clock, mails } = await spending();
    const budget = await create({ limit: 5, stops: true, group_uuid: qa });
    const [kims, robins, marias] = [await online(kim), await online(robin), await online(manager)];
    await pass(2);
    expect((await row(kims))?.budget_stops_at).toBeNull();
    await pass(1);
    const at = new Date(clock.now() + limits.stopNoticeMinutes * MINUTE);
    // Of the group, and of the group below it; not of others.
    expect([(await row(kims))?.budget_stops_at, (await row(robins))?.budget_stops_at]).toEqual([at, at]);
    expect((await row(marias))?.budget_stops_at).toBeNull();
    expect((await kim.start()).json()).toMatchObject({ code: "BUDGET_USED_UP" });
    expect((await manager.start()).statusCode).toBe(201);
    const announced = await row(kims);
    await pass(limits.stopNoticeMinutes - 1);
    // It is told once.
    expect([announced?.state, await row(kims)]).toEqual(["ONLINE", announced]);
    await pass(1);
    expect(await row(kims)).toMatchObject({ state: "STOPPING", reason: "budget_used_up" });
    expect([(await row(robins))?.state, (await row(marias))?.state]).toEqual(["STOPPING", "ONLINE"]);
    await manager.put(`${path}/${budget.uuid}`, { limit: 500 });
    expect((await kim.start()).statusCode).toBe(201);
    expect((await mails()).at(-1)).toBe("maria@fern.test: The budget of QA is used up");
  });

  it.each([
    ["removed", (path: string, { delete: remove }: { delete: (path: string) => Promise<unknown> }) => remove(path)],
    [
      "raised",
      (path: string, { put }: { put: (path: string, body: object) => Promise<unknown> }) => put(path, { limit: 50 }),
    ],
    [
      "only to warn",
      (path: string, { put }: { put: (path: string, body: object) => Promise<unknown> }) => put(path, { stops: false }),
    ],
  ])("stops nothing when it is %s before that", async (_, change) => {
    const { create, online, kim, manager, pass, row } = await spending();
    const { uuid } = await create({ limit: 5, stops: true });
    const device = await online(kim);
    await pass(14);
    expect((await row(device))?.budget_stops_at).not.toBeNull();
    await change(`${path}/${uuid}`, manager);
    expect(await row(device)).toMatchObject({ state: "ONLINE", budget_stops_at: null });
    await pass(10);
    expect((await row(device))?.state).toBe("ONLINE");
  });

  it("is told of anew when it was raised and is used up again", async () => {
    const { create, online, kim, manager, pass, mails } = await spending();
    const { uuid } = await create({ limit: 10 });
    await online(kim);
    await pass(10);
    await manager.put(`${path}/${uuid}`, { limit: 20 });
    expect(await mails()).toHaveLength(3);
    await pass(10);
    expect((await mails()).slice(3)).toEqual([
      "maria@fern.test: 80 % of the budget of Fernworks is used",
      "maria@fern.test: The budget of Fernworks is used up",
    ]);
  });

  it("forgets what it announced when its group is deleted", async () => {
    const { create, online, kim, manager, pass, row, qa } = await spending();
    await create({ limit: 5, stops: true, group_uuid: qa });
    const device = await online(kim);
    await pass(6);
    await manager.delete(`/v1/groups/${qa}`);
    await pass(1);
    expect((await row(device))?.budget_stops_at).toBeNull();
    await pass(10);
    expect((await row(device))?.state).toBe("ONLINE");
  });

  it("of a person stops theirs alone, also within a group that has more; they are told themselves", async () => {
    const { create, online, kim, robin, pass, row, qa, mails } = await spending();
    await create({ limit: 1000, stops: true, group_uuid: qa });
    await create({ limit: 5, stops: true, user_uuid: kim.user.uuid });
    const [kims, robins] = [await online(kim), await online(robin)];
    await pass(15);
    expect([(await row(kims))?.state, (await row(robins))?.state]).toEqual(["STOPPING", "ONLINE"]);
    expect((await kim.start()).json().code).toBe("BUDGET_USED_UP");
    expect((await robin.start()).statusCode).toBe(201);
    expect((await mails()).filter((mail) => mail.startsWith("kim"))).toHaveLength(3);
  });

  it("gives the same notice to somebody who joins its group late", async () => {
    const { create, online, kim, manager, pass, row, qa, clock } = await spending();
    await create({ limit: 5, stops: true, group_uuid: qa });
    await online(kim);
    const marias = await online(manager);
    await pass(14);
    await manager.post(`/v1/groups/${qa}/users`, { user_uuids: [manager.user.uuid] });
    await pass(1);
    expect(await row(marias)).toMatchObject({
      state: "ONLINE",
      budget_stops_at: new Date(clock.now() + limits.stopNoticeMinutes * MINUTE),
    });
  });

  it("can be extended by an hour, and says so to those who watch", async () => {
    const { create, online, kim, manager, pass, row, list, clock } = await spending();
    const { uuid } = await create({ limit: 5, stops: true });
    expect((await manager.post(`${path}/${uuid}/extend`)).json().code).toBe("BUDGET_NOT_STOPPING");
    const device = await online(kim);
    await pass(5);
    const at = new Date(clock.now() + (limits.stopNoticeMinutes + limits.extensionMinutes) * MINUTE);
    expect((await manager.post(`${path}/${uuid}/extend`)).json()).toMatchObject({ stops_at: at.toISOString() });
    expect((await row(device))?.budget_stops_at).toEqual(at);
    await pass(69);
    expect([(await row(device))?.state, (await list()).results[0]?.stops_at]).toEqual(["ONLINE", at.toISOString()]);
    // From now on, where nobody has stopped them yet.
    await clock.advance(5 * MINUTE);
    const later = new Date(clock.now() + limits.extensionMinutes * MINUTE);
    expect((await manager.post(`${path}/${uuid}/extend`)).json()).toMatchObject({ stops_at: later.toISOString() });
    await pass(limits.extensionMinutes);
    expect((await row(device))?.state).toBe("STOPPING");
  });

  it("of money counts metered minutes at their price", async () => {
    const { create, online, kim, pass, list, db, organization, clock } = await spending();
    await aSubscription(db, organization, { plan: "payg", at: new Date(clock.now()) });
    await create({ unit: "cents", limit: 1_000_000 });
    await online(kim);
    const prepaid = await online(kim);
    await db.updateTable("runs").set({ is_metered: false }).where("instance_uuid", "=", prepaid).execute();
    await pass(7);
    const { month, results } = await list();
    expect(results).toMatchObject([{ unit: "cents", used: 7 * 20_600 }]);
    expect(month).toMatchObject({
      minutes: 14,
      amount: 7 * 20_600,
      currency: "USD",
      since: "2026-03-01T00:00:00.000Z",
    });
  });
});

describe("/v1/budgets", () => {
  it("refuses a second one for the same, the groups and people of others, and too many", async () => {
    const { manager, kim, qa, organization, as, db, clock } = await spending();
    const stranger = await as({ role: "manager" });
    const theirs = await aGroup(db, stranger.user.organization_uuid!);
    const budget = { unit: "minutes", limit: 5 };
    const outcome = async (body: object) => {
      const { statusCode, ...reply } = await manager.post(path, { ...budget, ...body });
      return statusCode === 201 ? "created" : reply.json<{ code: string }>().code;
    };
    const people = [{}, { group_uuid: qa }, { user_uuid: kim.user.uuid }];
    for (const of of people) expect(await outcome(of)).toBe("created");
    for (const of of people) expect(await outcome(of)).toBe("BUDGET_EXISTS");
    expect(await outcome({ group_uuid: theirs })).toBe("GROUP_NOT_FOUND");
    expect(await outcome({ user_uuid: stranger.user.uuid })).toBe("USER_NOT_FOUND");
    expect(await outcome({ user_uuid: kim.user.uuid, group_uuid: qa })).toBe("invalid_request");
    for (const limit of [0, 1.5, limits.budgetMax + 1]) expect(await outcome({ limit })).toBe("invalid_request");
    expect((await kim.get(path)).json().code).toBe("FORBIDDEN");
    expect((await stranger.get(path)).json<{ results: unknown[] }>().results).toEqual([]);
    for (let count = 3; count < limits.budgets; count++) {
      const group_uuid = await aGroup(db, organization);
      const row = { uuid: group_uuid, organization_uuid: organization, group_uuid, user_uuid: null };
      const created_at = new Date(clock.now());
      await db
        .insertInto("budgets")
        .values({ ...row, unit: "minutes", amount: 1, stops: false, created_at })
        .execute();
    }
    expect(await outcome({ group_uuid: await aGroup(db, organization) })).toBe("TOO_MANY_BUDGETS");
  });
});

describe("POST /v1/instances/:uuid/extend", () => {
  it("lets an online device run on, whatever its timeouts say, for its owner and managers", async () => {
    const { kim, robin, manager, db, clock, audited, online } = await spending();
    const other = await online(kim);
    const { uuid } = (await kim.start({ rename_on_conflict: true, timeouts: { global: 60 } })).json<Instance>();
    const extend = `/v1/instances/${uuid}/extend`;
    expect((await kim.post(extend)).json().code).toBe("INSTANCE_NOT_ONLINE");
    for (const event of ["powered", "answered", "booted"] as const)
      await moveInstance(db, { uuid, event, now: new Date(clock.now()) });
    await clock.advance(55 * MINUTE);
    const measured_at = new Date(clock.now());
    await db
      .updateTable("instances")
      .set({ ran_ms: 55 * MINUTE, measured_at })
      .where("uuid", "=", uuid)
      .execute();
    const before = (await kim.get(`/v1/instances/${uuid}`)).json<Instance>();
    expect(before).toMatchObject({
      stops_at: new Date(clock.now() + 5 * MINUTE).toISOString(),
      stops_because: "max_run_duration",
    });
    const longer = { stops_at: new Date(clock.now() + 60 * MINUTE).toISOString(), revision: before.revision + 1 };
    expect((await kim.post(extend)).json()).toMatchObject(longer);
    expect((await kim.get(`/v1/instances/${uuid}`)).json()).toMatchObject(longer);
    // Never shorter.
    expect((await manager.post(extend, { minutes: 1 })).json()).toMatchObject({ stops_at: longer.stops_at });
    expect((await robin.post(extend)).json().code).toBe("INSTANCE_NOT_ALLOWED");
    const others = db.selectFrom("instances").select("kept_until_ms").where("uuid", "=", other);
    expect(await others.executeTakeFirst()).toEqual({ kept_until_ms: 0 });
    await db.updateTable("instances").set({ budget_stops_at: measured_at }).where("uuid", "=", uuid).execute();
    expect((await kim.post(extend, { minutes: 90 })).json()).toMatchObject({
      stops_at: measured_at.toISOString(),
      stops_because: "budget_used_up",
    });
    expect((await audited()).filter(({ action }) => action === "instance.extend")).toHaveLength(3);
  });
});

describe("a start with an API token", () => {
  const timeouts = async (set: object, body: object) => {
    const { kim, call, db, organization } = await spending();
    if (Object.keys(set).length > 0)
      await db.updateTable("organizations").set(set).where("uuid", "=", organization).execute();
    const { token } = (await kim.post("/v1/api-tokens", { description: "ci" })).json<{ token: string }>();
    const recipe = await db
      .selectFrom("recipes")
      .select("uuid")
      .where("is_official", "=", true)
      .executeTakeFirstOrThrow();
    const start = { body: { instance_name: "ci", ...body } };
    const to = `/v1/recipes/${recipe.uuid}/start-disposable`;
    const [byProgram, byPerson] = [
      await call("POST", to, { ...start, headers: { "x-api-token": token } }),
      await call("POST", to, { body: { ...start.body, rename_on_conflict: true }, headers: kim.headers }),
    ];
    return [byProgram, byPerson].map((reply) => reply.json<Instance>().timeouts.global);
  };

  it.each([
    ["has a maximum of a day, which a browser's has not", {}, {}, [1440, 0]],
    ["says itself how long it runs", {}, { timeouts: { inactivity: 0, global: 0 } }, [0, 0]],
    ["has it also where it only says when it is idle", {}, { timeouts: { inactivity: 0 } }, [1440, 0]],
    ["has the shorter of its maximum and that of all devices", { timeout_api: 120, timeout_global: 60 }, {}, [60, 60]],
    ["may have a shorter one than others", { timeout_api: 30, timeout_global: 60 }, {}, [30, 60]],
    ["has none where its organization wants none", { timeout_api: 0 }, {}, [0, 0]],
  ])("%s", async (_, set, body, expected) => {
    expect(await timeouts(set, body)).toEqual(expected);
  });
});

describe("the forecast", () => {
  const now = new Date("2026-03-11T00:00:00Z");
  const { until } = monthOf(now);

  it("goes on as in the last seven days, or since the organization was founded", () => {
    expect(until.toISOString()).toBe("2026-04-01T00:00:00.000Z");
    const week = paceSince(now, new Date("2020-01-01T00:00:00Z"));
    expect(week.toISOString()).toBe("2026-03-04T00:00:00.000Z");
    expect(expectedUse({ used: 500, recent: 70 }, { since: week, now, until })).toBe(500 + 210);
    const founded = paceSince(now, new Date("2026-03-10T00:00:00Z"));
    expect(expectedUse({ used: 70, recent: 70 }, { since: founded, now, until })).toBe(70 + 70 * 21);
    // Not what a few minutes would come to.
    expect(now.getTime() - paceSince(now, now).getTime()).toBe(60 * MINUTE);
  });
});
