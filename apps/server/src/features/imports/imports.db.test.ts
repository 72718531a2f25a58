import { importTypes, limits } from "@terrarium/contract";
import { sql } from "kysely";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { DatabaseRateLimiter } from "../../platform/rate-limits/database-rate-limiter.ts";
import { Tables } from "../../platform/spreadsheets/tables.ts";
import { aWorkbook } from "../../platform/spreadsheets/testing/files.ts";
import { aForm } from "../../testing/a-form.ts";
import { connectSocket } from "../../testing/connect-socket.ts";
import { codeOf, withGroups } from "../../testing/groups.ts";
import { byService } from "../audit/by.ts";
import { importUsers } from "./imports.ts";

type Person = Awaited<ReturnType<typeof withGroups>>["manager"];

/** As `withGroups`, with two groups, and a way to import a file. */
async function setUp(options: Parameters<typeof withGroups>[0] = {}) {
  const test = await withGroups(options);
  const [lab, design] = [await test.create("Lab"), await test.create("Design")];
  const pathOf = (query = "", organization = test.organization) =>
    `/v1/organizations/${organization}/upload/add-users-to-groups/${query}`;
  const send = async (
    content: string | Uint8Array,
    { as = test.manager, name = "people.csv", query = "" }: { as?: Person; name?: string; query?: string } = {},
  ) => {
    const form = await aForm({ name, content });
    return as.post(pathOf(query), form.body, form.headers);
  };
  const members = async () => {
    const { rows } = await sql<{ who: string }>`SELECT split_part(email, '@', 1) || ' in ' || name AS who
      FROM group_users JOIN users ON users.uuid = user_uuid JOIN groups ON groups.uuid = group_uuid
      WHERE groups.organization_uuid = ${test.organization} ORDER BY 1`.execute(test.db);
    return rows.map(({ who }) => who);
  };
  const addPeople = (count: number) =>
    sql`INSERT INTO users (uuid, email, first_name, last_name, organization_uuid, is_validated, created_at)
      SELECT gen_random_uuid(), 'p' || n || '@many.test', '', '', ${test.organization}, true, now()
      FROM generate_series(1, ${count}::int) AS n`.execute(test.db);
  return { ...test, lab, design, pathOf, send, members, addPeople };
}

/** The addresses of those whom `addPeople` adds. */
const people = (count: number) => Array.from({ length: count }, (_, index) => `p${index + 1}@many.test`);

const csvOf = (...lines: string[]) => ["email,group", ...lines].join("\n");
const emailOf = (name: string) => `${name}@fernworks.test`;

/** A report in CSV, without its mark and its header. */
const linesOf = ({ body }: { body: string }) => body.replace("\uFEFF", "").trimEnd().split("\r\n").slice(1);

/** The result at the end of a reply in lines, and how far it said it was before. */
function eventsOf({ body }: { body: string }) {
  const events = body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { result: events.at(-1).result, done: events.slice(0, -1) };
}

describe("POST /v1/organizations/:uuid/upload/add-users-to-groups", () => {
  const rows = [
    ["Group", "E-mail"],
    ["lab", emailOf("kim")],
    ["Design", emailOf("Robin").toUpperCase()],
  ];
  it.each([
    ["csv", rows.map((row) => row.join(";")).join("\r\n")],
    ["xls", aWorkbook("xls", { People: rows })],
    ["xlsx", aWorkbook("xlsx", { People: rows })],
  ] as const)("puts the people that a file lists into the groups that it names: %s", async (kind, content) => {
    const { send, manager, lab, members } = await setUp();
    const reply = await send(content, { name: `My people.${kind.toUpperCase()}` });
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({
      "content-type": importTypes[kind],
      "content-disposition": expect.stringContaining(`filename="My people report.${kind}"`),
      "x-total-lines": "2",
      "x-failed-lines": "0",
      "access-control-expose-headers": expect.stringContaining("x-failed-lines"),
    });
    expect(await members()).toEqual(["kim in Lab", "robin in Design"]);
    const listed = (await manager.get(`/v1/groups/${lab.uuid}/users/`)).json().results;
    expect(listed.map(({ email }: { email: string }) => email)).toEqual([emailOf("kim")]);
  });

  it("reports what came of each line, and does the others where some fail", async () => {
    const { send, members, as, stranger, manager, lab } = await setUp();
    const guest = await as({ role: "guest" });
    await manager.post(`/v1/groups/${lab.uuid}/users`, { user_uuids: [manager.user.uuid] });
    const reply = await send(
      csvOf(
        `${emailOf("kim")},Lab`,
        `${emailOf("maria")},LAB`,
        "",
        `${emailOf("kim")},lab`,
        `${emailOf("kim")},Design`,
        ",Lab",
        "=cmd|' /C calc'!A1,Lab",
        `${emailOf("robin")},`,
        `${emailOf("robin")},@SUM(A1)`,
        `${emailOf("robin")},L\u200Bab`,
        `${stranger.user.email},Lab`,
        `${guest.user.email},Lab`,
      ),
    );
    expect([reply.headers["x-total-lines"], reply.headers["x-failed-lines"]]).toEqual(["11", "7"]);
    const notHere = "failed,Not in this organization. Invite them first.";
    expect(linesOf(reply)).toEqual([
      `2,${emailOf("kim")},Lab,added,`,
      `3,${emailOf("maria")},LAB,unchanged,In this group already`,
      `5,${emailOf("kim")},lab,unchanged,An earlier line says the same`,
      `6,${emailOf("kim")},Design,added,`,
      "7,,Lab,failed,No email address",
      "8,'=cmd|' /C calc'!A1,Lab,failed,Not an email address",
      `9,${emailOf("robin")},,failed,No group`,
      `10,${emailOf("robin")},'@SUM(A1),failed,"There is no such group. Create it first, or let the import do so."`,
      `11,${emailOf("robin")},L\u200Bab,failed,Not a name of a group: use up to 250 characters that can be seen`,
      `12,${stranger.user.email},Lab,${notHere}`,
      `13,${guest.user.email},Lab,${notHere}`,
    ]);
    expect(await members()).toEqual(["kim in Design", "kim in Lab", "maria in Lab"]);
  });

  it("changes nothing in a trial, and says what it would do", async () => {
    const { send, members, tree, audited } = await setUp();
    const before = (await audited()).length;
    const content = csvOf(`${emailOf("kim")},Lab`, `${emailOf("robin")},New`, `${emailOf("kim")},new`, "x,Lab");
    const reply = await send(content, { query: "?dry_run=true&create_groups=true" });
    expect(linesOf(reply).map((line) => line.split(",")[3])).toEqual(["to add", "to add", "to add", "failed"]);
    expect([await members(), (await tree()).map(({ name }) => name)]).toEqual([[], ["Design", "Everybody", "Lab"]]);
    expect(await audited()).toHaveLength(before);
    const { result } = eventsOf(await send(content, { query: "?dry_run=true&create_groups=true&report=lines" }));
    expect(result).toMatchObject({
      total: 4,
      added: 3,
      unchanged: 0,
      failed: 1,
      groups: [
        { name: "Lab", added: 1, is_new: false },
        { name: "New", added: 2, is_new: true },
      ],
    });
  });

  it("creates groups that are missing where it is asked to, for people who are there", async () => {
    const { send, members, tree } = await setUp();
    const content = csvOf(`${emailOf("kim")},Ärzte`, `${emailOf("robin")},ärzte`, `nobody@else.test,Nobodies`);
    const reply = await send(content, { query: "?create_groups=true" });
    expect(reply.headers["x-failed-lines"]).toBe("1");
    expect(await members()).toEqual(["kim in Ärzte", "robin in Ärzte"]);
    const groups = await tree();
    expect(groups.map(({ name }) => name).toSorted()).toEqual(["Design", "Everybody", "Lab", "Ärzte"]);
    expect(groups.find(({ name }) => name === "Ärzte")).toMatchObject({
      parent_uuid: null,
      is_default: false,
      quotas: { group_allocation: null },
    });
    const again = await send(content, { query: "?create_groups=true" });
    expect(linesOf(again).map((line) => line.split(",")[3])).toEqual(["unchanged", "unchanged", "failed"]);
  });

  it("creates no more groups than an organization may have", async () => {
    const { send, db, organization, tree, members } = await setUp();
    await sql`INSERT INTO groups (uuid, organization_uuid, name, created_at)
      SELECT gen_random_uuid(), ${organization}, 'Group ' || n, now() FROM generate_series(1, ${limits.groups - 4}) AS n`.execute(
      db,
    );
    const content = csvOf(`${emailOf("kim")},New 1`, `${emailOf("kim")},New 2`);
    for (const query of ["?create_groups=true&dry_run=true", "?create_groups=true"]) {
      const [first, second] = linesOf(await send(content, { query }));
      expect([first, second]).toEqual([
        expect.stringContaining("add"),
        expect.stringContaining('failed,"The group was not created'),
      ]);
    }
    expect([await members(), (await tree()).length]).toEqual([["kim in New 1"], limits.groups]);
  });

  it("tells how far it is, and the result with its report", async () => {
    const { send, manager, organization, addPeople } = await setUp();
    await addPeople(1200);
    const bad = Array.from({ length: limits.importFailuresShown + 1 }, () => ["", "Lab"]);
    const content = aWorkbook("xlsx", {
      People: [["email", "group"], ...people(1200).map((email) => [email, "Lab"]), ...bad],
      Other: [["x"]],
    });
    const reply = await send(content, { name: "a.xlsx", query: "?report=lines" });
    expect(reply.headers["content-type"]).toBe("application/jsonl");
    const { result, done } = eventsOf(reply);
    expect(done).toEqual([101, 601, 1101, 1301].map((count) => ({ done: count, total: 1301 })));
    expect(result).toMatchObject({ total: 1301, added: 1200, unchanged: 0, failed: 101 });
    expect(result.failures).toHaveLength(limits.importFailuresShown);
    expect(result.failures[0]).toEqual({ line: 1202, email: "", group: "Lab", reason: "EMAIL_MISSING" });
    expect([result.sheet, result.report.name, result.report.type]).toEqual([
      { name: "People", others: 1 },
      "a report.xlsx",
      importTypes.xlsx,
    ]);
    const report = Buffer.from(result.report.base64, "base64");
    const again = await aForm({ name: "b.xlsx", content: report });
    const path = `/v1/organizations/${organization}/upload/add-users-to-groups?dry_run=1`;
    expect(await codeOf(manager.post(path, again.body, again.headers))).toBe("400 invalid_request");
    expect(eventsOf(await send(report, { name: "b.xlsx", query: "?report=lines" })).result).toMatchObject({
      added: 0,
      unchanged: 1200,
    });
  });

  it("asks the database as often for five hundred lines as for ten", async () => {
    const { db, clock, audit, organization, addPeople } = await setUp();
    await addPeople(500);
    let asked = 0;
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        asked++;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const limiter = new DatabaseRateLimiter({ db: counted, clock, secret: new Uint8Array(32) });
    const deps = { db: counted, clock, audit, limiter, tables: new Tables({ clock }) };
    const folder = await mkdtemp(join(tmpdir(), "terrarium-import-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = { name: "people.csv", type: "text/csv", bytes: 0, path: join(folder, "file") };
    const queriesFor = async (count: number, group: string) => {
      await writeFile(file.path, csvOf(...people(count).map((email) => `${email},${group} ${email}`)));
      asked = 0;
      const how = { into: organization, asLines: false, isTrial: false, createsGroups: true, by: byService };
      const { headers } = await importUsers(deps, { organization }, { file, ...how });
      expect(headers).toEqual({ "x-total-lines": String(count), "x-failed-lines": "0" });
      return asked;
    };
    const few = await queriesFor(10, "a");
    expect(few).toBeLessThan(20);
    expect(await queriesFor(500, "b")).toBe(few);
  });

  it("is recorded once with its counts, and for each person and group", async () => {
    const { send, audited, kim, lab, manager, organization } = await setUp();
    await send(csvOf(`${emailOf("kim")},Lab`, `${emailOf("kim")},New`, "x,Lab", `${emailOf("kim")},Lab`), {
      query: "?create_groups=true",
    });
    const records = (await audited()).slice(-4);
    expect(records.map(({ action, outcome }) => [action, outcome])).toEqual([
      ["group.create", "done"],
      ["group.add_user", "done"],
      ["group.add_user", "done"],
      ["organization.import_users", "done"],
    ]);
    expect(records[1]).toMatchObject({ subject: kim.user.email, details: { group: lab.uuid } });
    expect(records[3]).toMatchObject({
      actor: manager.user.email,
      subject: `organization ${organization}`,
      details: { total: 4, added: 2, unchanged: 1, failed: 1, not_reached: 0 },
    });
  });

  it("tells managers' open pages", async () => {
    const { port, manager, send } = await setUp({ listen: true });
    const socket = await connectSocket(port, { token: manager.token });
    await send(csvOf(`${emailOf("kim")},Lab`));
    expect((await socket.count(1))[0]).toMatchObject({ channel: "groups-updates" });
  });

  it("ends after a batch when whoever asked for it leaves, and says so", async () => {
    const { port, manager, addPeople, db, pathOf, audited } = await setUp({ listen: true });
    await addPeople(5000);
    const form = await aForm({ name: "people.csv", content: csvOf(...people(5000).map((email) => `${email},Lab`)) });
    const headers = { ...manager.headers, ...form.headers, "content-length": form.body.length };
    const path = `/cloud${pathOf("?report=lines")}`;
    const sent = request({ port, path, method: "POST", headers }, (reply) => reply.once("data", () => sent.destroy()));
    sent.on("error", () => undefined).end(form.body);
    await expect
      .poll(async () => (await audited()).find(({ action }) => action === "organization.import_users")?.details, {
        timeout: 20_000,
      })
      .toMatchObject({ total: 5000, not_reached: expect.not.toSatisfy((count) => count === 0) });
    const { count } = await db
      .selectFrom("group_users")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBeLessThan(5000);
  });
});

describe("what is refused", () => {
  it("is everybody but the organization's managers, in words of its own", async () => {
    const { send, kim, as, stranger, members } = await setUp();
    const content = csvOf(`${emailOf("kim")},Lab`);
    for (const someone of [kim, await as({ role: "guest" })]) {
      const reply = await send(content, { as: someone });
      expect([reply.statusCode, reply.json()]).toMatchObject([
        403,
        { code: "FORBIDDEN", message: "You are not allowed to import files." },
      ]);
    }
    expect(await codeOf(send(content, { as: stranger }))).toBe("404 ORGANIZATION_NOT_FOUND");
    expect(await members()).toEqual([]);
  });

  it("is what is no single file of these kinds, or too large", async () => {
    const { manager, pathOf, send } = await setUp();
    const one = { name: "people.csv", content: csvOf(`${emailOf("kim")},Lab`) };
    const post = async (...files: Parameters<typeof aForm>) => {
      const form = await aForm(...files);
      return codeOf(manager.post(pathOf(), form.body, form.headers));
    };
    expect(await post(one, one)).toBe("400 invalid_request");
    expect(await post()).toBe("400 invalid_request");
    expect(await post({ ...one, field: "files" })).toBe("400 invalid_request");
    expect(await post({ ...one, content: Buffer.alloc(limits.importBytes + 1, "a") })).toBe("413 BODY_TOO_LARGE");
    expect(await codeOf(manager.post(pathOf(), { file: "x" }))).toBe("415 UNSUPPORTED_MEDIA_TYPE");
    for (const name of ["people.txt", "people", "people.csv.exe", "people.xlsm", ".ods"])
      expect([name, await codeOf(send(one.content, { name }))]).toEqual([name, "415 IMPORT_FILE_TYPE"]);
    const { headers } = await send(one.content, { name: "../../people.CSV" });
    expect(headers["content-disposition"]).toContain('filename="people report.csv"');
  });

  it("is a file that cannot be imported, with a code for each reason", async () => {
    const { send, members } = await setUp();
    const line = `${emailOf("kim")},Lab`;
    const many = Array.from({ length: limits.importLines + 1 }, () => line);
    const refused = {
      "400 IMPORT_FILE_UNREADABLE": aWorkbook("xlsx", { People: [["email", "group"]] }),
      "413 IMPORT_FILE_TOO_LARGE": csvOf("a".repeat(2_000_000)),
      "400 IMPORT_FILE_EMPTY": csvOf(),
      "400 IMPORT_TOO_MANY_LINES": csvOf(...many),
      "400 IMPORT_GROUP_COLUMN_MISSING": `email,team\n${line}`,
      "400 IMPORT_EMAIL_COLUMN_MISSING": `name,group\n${line}`,
      "400 IMPORT_COLUMN_TWICE": `email,group,GROUP\n${line}`,
    };
    for (const [code, content] of Object.entries(refused)) expect(await codeOf(send(content))).toBe(code);
    expect(await members()).toEqual([]);
    expect((await send(csvOf(...many.slice(1)))).headers["x-total-lines"]).toBe("5000");
  });

  it("is more than 120 imports within an hour", async () => {
    const { send, db, clock } = await setUp();
    await send(csvOf(`${emailOf("kim")},Lab`));
    await sql`UPDATE attempts SET count = 120 WHERE count = 1 AND since >= ${new Date(clock.now())}`.execute(db);
    expect(await codeOf(send(csvOf(`${emailOf("kim")},Lab`)))).toBe("429 TOO_MANY_REQUESTS");
  });
});
