import { read, utils } from "@e965/xlsx";
import type { InstanceEvent, Usage } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { DatabaseRateLimiter } from "../../platform/rate-limits/database-rate-limiter.ts";
import { createTestApp } from "../../testing/app.ts";
import { aCustom, aGroup, anOrganization } from "../../testing/factories.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { usageMigrations } from "./usage.migrations.ts";
import { exportUsage, usageExports } from "./usage.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** An organization with a manager and Robin, and devices that run at given times. */
async function used() {
  const test = await createTestApp();
  const { db, clock } = test;
  const organization = await anOrganization(db, { instances_max: 1_000 });
  const manager = await test.as({ organization, role: "manager", fields: { email: "manager@fern.test" } });
  const robin = await test.as({ organization, fields: { email: "robin@fern.test" } });
  const recipe = await aCustom(db, "recipes", robin.user, { name: "Moss" });

  const move = async (uuid: string, event: InstanceEvent, at: string) => {
    const machine = event === "powered" ? { adb: { host: "127.0.0.1", port: 1 }, canSave: true } : undefined;
    expect(await moveInstance(db, { uuid, event, now: new Date(at), machine })).toBeDefined();
  };
  /** Starts a device that comes online at one time, and leaves at another. */
  const run = async (
    online: string,
    end?: string,
    { who = robin, of = recipe, by = "fail" }: { who?: typeof robin; of?: string; by?: InstanceEvent } = {},
  ) => {
    const body = { instance_name: "phone", rename_on_conflict: true };
    const { uuid } = (await who.post(`/v1/recipes/${of}/start-disposable`, body)).json<{ uuid: string }>();
    for (const event of ["powered", "answered", "booted"] as const) await move(uuid, event, online);
    if (end) await move(uuid, by, end);
    return uuid;
  };
  const get = async (since: string, until = since, time_zone = "UTC", who = manager) =>
    (await who.get(`/v1/usage?${new URLSearchParams({ since, until, time_zone })}`)).json<Usage>();
  const file = async (format: "csv" | "xlsx", since: string, until = since, time_zone = "UTC") =>
    manager.get(`/v1/usage/export?${new URLSearchParams({ since, until, time_zone, format })}`);
  const lines = async (since: string, until = since) => {
    const { body } = await file("csv", since, until);
    return body.replace("\uFEFF", "").trimEnd().split("\r\n").slice(1);
  };
  return { ...test, organization, manager, robin, recipe, clock, move, run, get, file, lines };
}
const daysOf = ({ days }: Usage) => days.map(({ seconds, starts }) => [seconds, starts]);

describe("GET /v1/usage", () => {
  it("tells how long devices were online, from ONLINE to what leaves it, by day, person, group and recipe", async () => {
    const { run, get, robin, manager, recipe, db, organization } = await used();
    const group = await aGroup(db, organization, { name: "Android", people: [robin] });
    await run("2026-02-03T10:00:00Z", "2026-02-03T10:30:07Z");
    await run("2026-02-04T11:00:00Z", "2026-02-04T11:00:10Z", { by: "stop" });
    await run("2026-02-04T12:00:00Z", "2026-02-04T12:01:00Z", { who: manager });
    const found = await get("2026-02-02", "2026-02-05");
    expect(found.total).toEqual({ seconds: 1807 + 10 + 60, starts: 3 });
    expect(found.days).toEqual([
      { day: "2026-02-02", seconds: 0, starts: 0 },
      { day: "2026-02-03", seconds: 1807, starts: 1 },
      { day: "2026-02-04", seconds: 70, starts: 2 },
      { day: "2026-02-05", seconds: 0, starts: 0 },
    ]);
    expect(found.people.results.map(({ person, ...use }) => [person.email, use])).toEqual([
      ["robin@fern.test", { seconds: 1817, starts: 2 }],
      ["manager@fern.test", { seconds: 60, starts: 1 }],
    ]);
    expect(found.groups.results).toEqual([
      { group: { uuid: group, name: "Android" }, seconds: 1817, starts: 2 },
      { group: null, seconds: 60, starts: 1 },
    ]);
    expect(found.recipes).toEqual({
      results: [{ recipe: { uuid: recipe, name: "Moss", is_deleted: false }, seconds: 1877, starts: 3 }],
      others: null,
    });
  });

  it("counts on each day the part of a run that lies in it, and the start on its first", async () => {
    const { run, get } = await used();
    await run("2026-02-03T22:00:00Z", "2026-02-06T03:00:00Z");
    expect(daysOf(await get("2026-02-03", "2026-02-06"))).toEqual([
      [2 * 3600, 1],
      [24 * 3600, 0],
      [24 * 3600, 0],
      [3 * 3600, 0],
    ]);
    // Part of it only.
    expect((await get("2026-02-04", "2026-02-05")).total).toEqual({ seconds: 48 * 3600, starts: 0 });
    expect((await get("2026-02-07")).total).toEqual({ seconds: 0, starts: 0 });
    expect((await get("2026-02-02")).total).toEqual({ seconds: 0, starts: 0 });
  });

  it("has days of 23 and 25 hours where the clock is changed", async () => {
    const { run, get } = await used();
    await run("2025-03-28T12:00:00Z", "2025-04-01T12:00:00Z");
    const spring = await get("2025-03-29", "2025-03-31", "Europe/Paris");
    expect(daysOf(spring).map(([seconds = 0]) => seconds / 3600)).toEqual([24, 23, 24]);
    await run("2025-10-24T12:00:00Z", "2025-10-28T12:00:00Z");
    const autumn = await get("2025-10-25", "2025-10-27", "Europe/Paris");
    expect(daysOf(autumn).map(([seconds = 0]) => seconds / 3600)).toEqual([24, 25, 24]);
    // Midnight in one place is another day elsewhere.
    expect(daysOf(await get("2025-10-28", "2025-10-28", "Pacific/Auckland"))).toEqual([[24 * 3600, 0]]);
    expect((await get("2025-10-29", "2025-10-29", "Pacific/Auckland")).total.seconds).toBe(3600);
  });

  it("counts what runs until now, and nothing of what is to come", async () => {
    const { run, get, clock } = await used();
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    await run(new Date(clock.now() - 90 * SECOND).toISOString());
    expect((await get(today)).total).toEqual({ seconds: 90, starts: 1 });
    await clock.advance(30 * SECOND);
    expect((await get(today)).total.seconds).toBe(120);
    expect(daysOf(await get(today, new Date(clock.now() + 240 * HOUR).toISOString().slice(0, 10))).length).toBe(11);
    expect((await get(today, new Date(clock.now() + 240 * HOUR).toISOString().slice(0, 10))).total.seconds).toBe(120);
  });

  it("leaves out the time of a save, and goes on after one that failed, which is no start", async () => {
    const { run, get, move } = await used();
    const uuid = await run("2026-02-03T10:00:00Z", "2026-02-03T10:10:00Z", { by: "save" });
    await move(uuid, "saveFailed", "2026-02-03T10:15:00Z");
    await move(uuid, "stop", "2026-02-03T10:16:00Z");
    expect((await get("2026-02-03")).total).toEqual({ seconds: 11 * 60, starts: 1 });
  });

  it("is nothing less than nothing when the clock was set back", async () => {
    const { run, get, move } = await used();
    const uuid = await run("2026-02-03T10:00:00Z");
    await move(uuid, "fail", "2026-02-03T09:00:00Z");
    expect((await get("2026-02-03")).total).toEqual({ seconds: 0, starts: 1 });
  });

  it("has the names of recipes that were deleted, and a place for people who were", async () => {
    const { run, get, robin, recipe } = await used();
    await run("2026-02-03T10:00:00Z", "2026-02-03T10:10:00Z");
    await robin.delete(`/v1/recipes/${recipe}`, {});
    expect((await get("2026-02-03")).recipes.results).toMatchObject([
      { recipe: { uuid: recipe, name: "Moss", is_deleted: true }, seconds: 600 },
    ]);
    await robin.delete(`/v1/users/${robin.user.uuid}`, { password: robin.user.password });
    const { people, total } = await get("2026-02-03");
    expect(total.seconds).toBe(600);
    // An account that was deleted leaves no name behind.
    expect(people.results).toMatchObject([
      { person: { uuid: robin.user.uuid, first_name: "Deleted", last_name: "user" }, seconds: 600 },
    ]);
  });

  it("tells of a recipe by its name of today", async () => {
    const { run, get, recipe, db } = await used();
    await run("2026-02-03T10:00:00Z", "2026-02-03T10:10:00Z");
    await db.updateTable("recipes").set({ name: "Fern" }).where("uuid", "=", recipe).execute();
    expect((await get("2026-02-03")).recipes.results[0]?.recipe?.name).toBe("Fern");
  });

  it("counts a device once for each group that its person is in, and for those above", async () => {
    const { run, get, db, organization, robin, manager } = await used();
    const top = await aGroup(db, organization, { name: "Mobile" });
    const left = await aGroup(db, organization, { name: "Left", parent_uuid: top, people: [robin] });
    const right = await aGroup(db, organization, { name: "Right", parent_uuid: top, people: [robin, manager] });
    await run("2026-02-03T10:00:00Z", "2026-02-03T10:10:00Z");
    await run("2026-02-03T11:00:00Z", "2026-02-03T11:01:00Z", { who: manager });
    const { groups, total } = await get("2026-02-03");
    expect(total).toEqual({ seconds: 660, starts: 2 });
    expect(groups.results.map(({ group, seconds, starts }) => [group?.uuid, seconds, starts])).toEqual([
      [top, 660, 2],
      [right, 660, 2],
      [left, 600, 1],
    ]);
  });

  it("counts devices of somebody from outside for the groups of the recipe's owner", async () => {
    const { run, get, db, organization, robin, recipe, as } = await used();
    const group = await aGroup(db, organization, { people: [robin] });
    const guest = await as({ role: "guest" });
    await robin.post(`/v1/recipes/${recipe}/share`, { recipients: { users: [guest.user.uuid] } });
    await run("2026-02-03T10:00:00Z", "2026-02-03T10:10:00Z", { who: guest });
    const { groups, people } = await get("2026-02-03");
    expect(people.results[0]?.person.uuid).toBe(guest.user.uuid);
    expect(groups.results).toMatchObject([{ group: { uuid: group }, seconds: 600 }]);
  });

  it("names the hundred with the most use, and adds up the others", async () => {
    const { db, organization, get, run } = await used();
    const uuid = await run("2026-02-03T10:00:00Z", "2026-02-03T10:10:00Z");
    await sql`INSERT INTO runs (instance_uuid, revision, organization_uuid, owner_uuid, counted_for, recipe_uuid, recipe_name,
        began_at, ended_at)
      SELECT ${uuid}, 100 + n, ${organization}, owner_uuid, owner_uuid, gen_random_uuid(), 'Recipe ' || n,
        '2026-02-03T11:00:00Z', '2026-02-03T11:00:00Z'::timestamptz + n * interval '1 second'
      FROM runs, generate_series(1, 120) AS n WHERE instance_uuid = ${uuid}`.execute(db);
    const { recipes } = await get("2026-02-03");
    expect(recipes.results.map(({ seconds }) => seconds)).toEqual([
      600,
      ...Array.from({ length: 99 }, (_, index) => 120 - index),
    ]);
    expect(recipes.others).toEqual({ count: 21, seconds: (21 * 22) / 2, starts: 21 });
  });

  it("is for managers, of their own organization alone, and for tokens that administer", async () => {
    const { run, get, robin, as, manager, call } = await used();
    await run("2026-02-03T10:00:00Z", "2026-02-03T10:10:00Z");
    const period = "since=2026-02-03&until=2026-02-03";
    const span = "from_date=2026-02-03T00:00:00Z&to_date=2026-02-04T00:00:00Z";
    const paths = [
      `/v1/usage?${period}`,
      `/v1/usage/export?${period}`,
      "/v1/usage/overview",
      `/v1/reporting/usage?${span}`,
    ];
    const stranger = await as({ role: "manager" });
    for (const path of paths) {
      expect(outcomeOf(await robin.get(path))).toBe("403 FORBIDDEN");
      expect(outcomeOf(await (await as({ role: "guest" })).get(path))).toBe("403 FORBIDDEN");
      expect(outcomeOf(await call("GET", path))).toBe("401 NOT_AUTHENTICATED");
      const scoped = (await manager.post("/v1/api-tokens", { description: path, scope: "devices" })).json();
      expect(outcomeOf(await call("GET", path, { headers: { "x-api-token": scoped.token } }))).toBe(
        "403 API_TOKEN_NOT_SCOPED",
      );
    }
    const theirs = await get("2026-02-03", "2026-02-03", "UTC", stranger);
    expect([theirs.total, theirs.people.results]).toEqual([{ seconds: 0, starts: 0 }, []]);
    expect((await stranger.get(paths[1]!)).body.trimEnd().split("\r\n")).toHaveLength(1);
    expect((await stranger.get(paths[3]!)).json()).toEqual({ count: 0, results: [] });
  });

  it("refuses periods that are none, too long, or in no time zone", async () => {
    const { manager } = await used();
    const fieldsOf = async (query: Record<string, string>) => {
      const answer = await manager.get(`/v1/usage?${new URLSearchParams(query)}`);
      return [answer.statusCode, ...(answer.json().fields ?? []).map(({ field }: { field: string }) => field)];
    };
    expect(await fieldsOf({ since: "2026-02-03", until: "2026-02-02" })).toEqual([400, "until"]);
    expect(await fieldsOf({ since: "2025-01-01", until: "2026-01-01" })).toEqual([200]);
    expect(await fieldsOf({ since: "2025-01-01", until: "2026-01-02" })).toEqual([400, "until"]);
    expect(await fieldsOf({ since: "2026-02-30", until: "2026-03-02" })).toEqual([400, "since"]);
    expect(await fieldsOf({ since: "1999-12-31", until: "2000-01-01" })).toEqual([400, "since"]);
    expect(await fieldsOf({ since: "2026-02-03", until: "9999-99-99" })).toEqual([400, "until"]);
    expect(await fieldsOf({ since: "2026-02-03", until: "2026-02-03", time_zone: "Mars/Base" })).toEqual([
      400,
      "time_zone",
    ]);
    expect(await fieldsOf({})).toEqual([400, "since", "until"]);
  });

  it("goes with the devices that it is of", async () => {
    const { run, db } = await used();
    const uuid = await run("2026-02-03T10:00:00Z", "2026-02-03T10:10:00Z");
    await db.deleteFrom("instances").where("uuid", "=", uuid).execute();
    expect(await db.selectFrom("runs").select("revision").execute()).toEqual([]);
  });

  it("is the same for devices that ran before it was noted", async () => {
    const { run, move, db, get, clock } = await used();
    await run("2026-02-03T10:00:00Z", "2026-02-03T10:30:07Z");
    const saved = await run("2026-02-03T11:00:00Z", "2026-02-03T11:10:00Z", { by: "save" });
    await move(saved, "saveFailed", "2026-02-03T11:15:00Z");
    await move(saved, "stop", "2026-02-03T11:16:00Z");
    await run(new Date(clock.now() - HOUR).toISOString());
    const rows = () => db.selectFrom("runs").selectAll().orderBy("instance_uuid").orderBy("revision").execute();
    const noted = await rows();
    const found = await get("2026-02-03", "2026-03-31");
    await sql`DROP TABLE runs`.execute(db);
    await sql`DROP FUNCTION note_run CASCADE`.execute(db);
    await usageMigrations["0078-runs"]!(db as never);
    const columns = await rows();
    // Others were added later, for what was noted since.
    expect(noted).toMatchObject(columns);
    expect(columns).toHaveLength(noted.length);
    expect(noted).toHaveLength(4);
    expect(await get("2026-02-03", "2026-03-31")).toEqual(found);
  });
});

describe("GET /v1/reporting/usage", () => {
  const report = ({ manager }: Awaited<ReturnType<typeof used>>, span: object) =>
    manager.get(`/v1/reporting/usage?${new URLSearchParams({ ...span })}`);

  it("tells for each person how long devices were online between two moments, and how many came online, the most first", async () => {
    const test = await used();
    const { run, manager } = test;
    await run("2026-02-03T10:00:00Z", "2026-02-03T10:00:20Z", { who: manager });
    await run("2026-02-03T09:30:00Z", "2026-02-03T10:30:00Z");
    await run("2026-02-05T10:00:00Z", "2026-02-05T11:00:00Z");
    await run("2026-02-06T10:00:00Z", "2026-02-06T11:00:00Z");
    const span = { from_date: "2026-02-03T10:00:00.000000Z", to_date: "2026-02-05T23:59:59.999000Z" };
    expect((await report(test, span)).json()).toEqual({
      count: 2,
      results: [
        { email: "robin@fern.test", instance_count: 1, duration_seconds: 1_800 + 3_600 },
        { email: "manager@fern.test", instance_count: 1, duration_seconds: 20 },
      ],
    });
  });

  it("refuses what is no time, ends before it begins, or is longer than a year", async () => {
    const test = await used();
    const fieldsOf = async (span: object) => {
      const answer = await report(test, span);
      const { fields = [] } = answer.json<{ fields?: { field: string }[] }>();
      return [answer.statusCode, ...fields.map(({ field }) => field)];
    };
    const from_date = "2025-01-01T00:00:00Z";
    expect(await fieldsOf({ from_date, to_date: "2026-01-02T00:00:00Z" })).toEqual([200]);
    expect(await fieldsOf({ from_date, to_date: "2026-01-02T00:00:01Z" })).toEqual([400, "to_date"]);
    expect(await fieldsOf({ from_date, to_date: from_date })).toEqual([400, "to_date"]);
    expect(await fieldsOf({ from_date: "2026-02-30T00:00:00Z", to_date: "now" })).toEqual([
      400,
      "from_date",
      "to_date",
    ]);
  });
});

describe("GET /v1/usage/export", () => {
  it("is a line for each run of the period, whole, in the order of their beginning", async () => {
    const { run, file, lines, db, organization, robin } = await used();
    await aGroup(db, organization, { name: "QA", people: [robin] });
    await aGroup(db, organization, { name: "Android", people: [robin] });
    const later = await run("2026-02-04T11:00:00Z", "2026-02-05T11:00:20Z");
    const first = await run("2026-02-03T22:00:00Z", "2026-02-04T03:00:00Z");
    await run("2026-02-05T00:00:00Z", "2026-02-05T01:00:00Z");
    await run("2026-02-03T10:00:00Z", "2026-02-04T00:00:00Z");
    const answer = await file("csv", "2026-02-04");
    expect(answer.headers["content-type"]).toBe("text/csv");
    expect(answer.headers["content-disposition"]).toContain(`filename="usage-2026-02-04-2026-02-04.csv"`);
    const head = "Device,Device ID,Recipe,Person,Groups,Online (UTC),Ended (UTC),Minutes,Zone";
    expect(answer.body.startsWith(`\uFEFF${head}\r\n`)).toBe(true);
    expect(await lines("2026-02-04")).toEqual([
      `phone,${first},Moss,robin@fern.test,"Android, QA",2026-02-03 22:00:00,2026-02-04 03:00:00,300,europe`,
      `phone,${later},Moss,robin@fern.test,"Android, QA",2026-02-04 11:00:00,2026-02-05 11:00:20,1440.3333,europe`,
    ]);
  });

  it("says the times of the zone that is asked for, and leaves open when what runs ends", async () => {
    const { run, file, clock } = await used();
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    await run(new Date(clock.now() - 90 * SECOND).toISOString());
    const { body } = await file("csv", day, day, "Asia/Kathmandu");
    const local = new Date(clock.now() - 90 * SECOND + 345 * MINUTE).toISOString().slice(0, 19).replace("T", " ");
    expect(body).toContain("Online (Asia/Kathmandu),Ended (Asia/Kathmandu)");
    expect(body).toContain(`,${local},,1.5,europe`);
  });

  it("has no formulas, of whatever devices, recipes and groups are called", async () => {
    const { run, file, db, recipe, robin, organization } = await used();
    await db
      .updateTable("recipes")
      .set({ name: '=HYPERLINK("http://evil.example")' })
      .where("uuid", "=", recipe)
      .execute();
    await aGroup(db, organization, { name: "@SUM(1)", people: [robin] });
    const uuid = await run("2026-02-03T10:00:00Z", "2026-02-03T10:10:00Z");
    await db.updateTable("instances").set({ name: "+cmd|' /C calc'!A0" }).where("uuid", "=", uuid).execute();
    const { body } = await file("csv", "2026-02-03");
    const line = body.split("\r\n")[1];
    expect(line).toContain(`'+cmd|' /C calc'!A0,${uuid},"'=HYPERLINK(""http://evil.example"")",`);
    expect(line).toContain(",'@SUM(1),");
    const sheet = read((await file("xlsx", "2026-02-03")).rawPayload, { cellFormula: true }).Sheets["Usage"]!;
    expect(sheet["C2"]).toMatchObject({ t: "s", v: '=HYPERLINK("http://evil.example")' });
    expect(sheet["C2"].f).toBeUndefined();
  });

  it("is a spreadsheet that others can read, with times and numbers as such", async () => {
    const { run, file } = await used();
    const uuid = await run("2026-02-03T10:00:00Z", "2026-02-03T10:30:30Z");
    const answer = await file("xlsx", "2026-02-03");
    expect(answer.headers["content-type"]).toBe("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
    const book = read(answer.rawPayload, { UTC: true, cellDates: true });
    expect(utils.sheet_to_json(book.Sheets["Usage"]!, { UTC: true })).toEqual([
      {
        Device: "phone",
        "Device ID": uuid,
        Recipe: "Moss",
        Person: "robin@fern.test",
        "Online (UTC)": new Date("2026-02-03T10:00:00Z"),
        "Ended (UTC)": new Date("2026-02-03T10:30:30Z"),
        Minutes: 30.5,
        Zone: "europe",
        Groups: "",
      },
    ]);
  });

  it("is whole beyond one page of runs, also where many began at once", async () => {
    const { run, lines, db } = await used();
    const uuid = await run("2026-02-03T10:00:00Z", "2026-02-03T10:10:00Z");
    await sql`INSERT INTO runs (instance_uuid, revision, organization_uuid, owner_uuid, counted_for, began_at, ended_at)
      SELECT ${uuid}, 100 + n, organization_uuid, owner_uuid, owner_uuid,
        '2026-02-03T11:00:00Z'::timestamptz + (n / 700) * interval '1 microsecond', '2026-02-03T11:10:00Z'
      FROM runs, generate_series(1, 2499) AS n WHERE instance_uuid = ${uuid}`.execute(db);
    expect(await lines("2026-02-03")).toHaveLength(2500);
  });

  it("is refused with more runs than a file may have, and nothing is recorded", async () => {
    const { run, operator, db, clock, audit, organization, audited } = await used();
    for (let count = 0; count < 3; count++) await run("2026-02-03T10:00:00Z", "2026-02-03T10:10:00Z");
    const deps = { db, clock, audit, limiter: new DatabaseRateLimiter({ db, clock, secret: new Uint8Array(32) }) };
    const query = { since: "2026-02-03", until: "2026-02-03", time_zone: "UTC", format: "csv" } as const;
    await expect(exportUsage(deps, organization, query, operator.by, 2)).rejects.toThrow("1,000,000 runs");
    expect((await audited()).filter(({ action }) => action === "organization.export_usage")).toEqual([]);
    expect((await exportUsage(deps, organization, query, operator.by, 3)).type).toBe("text/csv");
  });

  it("is recorded, and limited", async () => {
    const { file, audited, organization } = await used();
    for (let count = 0; count < usageExports.max; count++)
      expect((await file("csv", "2026-02-03")).statusCode).toBe(200);
    expect(outcomeOf(await file("csv", "2026-02-03"))).toBe("429 TOO_MANY_REQUESTS");
    const records = (await audited()).filter(({ action }) => action === "organization.export_usage");
    expect(records.filter(({ outcome }) => outcome === "done")).toHaveLength(usageExports.max);
    expect(records[0]).toMatchObject({
      subject: expect.stringContaining(organization),
      details: { format: "csv", since: "2026-02-03", until: "2026-02-03" },
    });
  });
});
