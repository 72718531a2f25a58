import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { aGroup, aUser } from "../../testing/factories.ts";
import { aDirectoryOf, aPerson, patchOf, said, type ScimReply, withDirectory } from "./testing/directory.ts";

afterEach(() => void vi.restoreAllMocks());

/** With a group of Robin, besides whom there is Kim. */
async function withGroup() {
  const test = await withDirectory();
  const { scim } = test;
  const person = async (name: string) => (await scim("POST", "/Users", aPerson(name))).json<ScimReply>().id;
  const [robin, kim] = [await person("robin"), await person("kim")];
  const body = { displayName: "QA", externalId: "G-1", members: [{ value: robin }] };
  const created = await scim("POST", "/Groups", body);
  const group = created.json<ScimReply>();
  const path = `/Groups/${group.id}`;
  const members = async () =>
    ((await scim("GET", path)).json<ScimReply>()["members"] as { value: string }[])
      .map(({ value }) => value)
      .toSorted();
  const records = async () =>
    (await test.audited()).filter(({ actor, action }) => actor === "provisioning" && action.startsWith("group."));
  return { ...test, robin, kim, created, group, path, members, records };
}

describe("groups of a directory", () => {
  it("are made with their members, at the top and without an allocation", async () => {
    const { created, group, robin, manager, records } = await withGroup();
    const base = "https://devices.example/cloud/scim/v2";
    expect([created.statusCode, created.headers["location"]]).toEqual([201, `${base}/Groups/${group.id}`]);
    expect(group).toEqual({
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
      id: group.id,
      externalId: "G-1",
      displayName: "QA",
      members: [{ value: robin, type: "User", $ref: `${base}/Users/${robin}` }],
      meta: {
        resourceType: "Group",
        created: "2026-03-02T09:00:00.000Z",
        lastModified: "2026-03-02T09:00:00.000Z",
        location: `${base}/Groups/${group.id}`,
      },
    });
    const tree = (await manager.get("/v1/groups")).json<object[]>();
    expect(tree).toContainEqual(
      expect.objectContaining({ name: "QA", parent_uuid: null, quotas: { group_allocation: null }, user_count: 1 }),
    );
    expect((await records()).map(({ action }) => action)).toEqual(["group.create", "group.edit", "group.add_user"]);
  });

  it.each([
    ["a name that another has", { displayName: "qa" }, "409 uniqueness"],
    ["no name", {}, "400 invalidValue"],
    ["a name that nobody can see", { displayName: "\u200b" }, "400 invalidValue"],
    ["a member who is not there", { displayName: "Lab", members: [{ value: randomUUID() }] }, "400 invalidValue"],
    ["a member that is none", { displayName: "Lab", members: [{ value: "robin" }] }, "400 invalidValue"],
    [
      "a group as a member",
      { displayName: "Lab", members: [{ value: randomUUID(), type: "Group" }] },
      "400 invalidValue",
    ],
    [
      "too many members",
      { displayName: "Lab", members: Array.from({ length: 10_001 }, () => ({ value: randomUUID() })) },
      "400 invalidValue",
    ],
  ])("are not made with %s", async (_, body, refusal) => {
    const { scim, db } = await withGroup();
    expect(said(await scim("POST", "/Groups", body))).toBe(refusal);
    expect(await db.selectFrom("groups").select("uuid").execute()).toHaveLength(2);
  });

  it.each([
    ["adds, as Entra does", [{ op: "Add", path: "members", value: [{ $ref: null, value: "kim" }] }], ["kim", "robin"]],
    ["adds one", [{ op: "add", path: "members", value: { value: "kim" } }], ["kim", "robin"]],
    ["adds without a path", [{ op: "add", value: { members: [{ value: "kim" }] } }], ["kim", "robin"]],
    ["adds who is there", [{ op: "add", path: "members", value: [{ value: "robin" }] }], ["robin"]],
    ["removes, as Okta does", [{ op: "remove", path: `members[value eq "robin"]` }], []],
    ["removes, as Entra does", [{ op: "Remove", path: "members", value: [{ value: "robin" }] }], []],
    ["removes who is not there", [{ op: "remove", path: `members[value eq "kim"]` }], ["robin"]],
    ["removes all", [{ op: "remove", path: "members" }], []],
    ["replaces", [{ op: "replace", path: "members", value: [{ value: "kim" }] }], ["kim"]],
    [
      "does one after the other",
      [
        { op: "replace", path: "members", value: [] },
        { op: "add", path: "members", value: [{ value: "kim" }] },
        { op: "remove", path: `members[value eq "robin"]` },
      ],
      ["kim"],
    ],
  ])("change their members: %s", async (_, operations, names) => {
    const { scim, path, members, robin, kim } = await withGroup();
    const idOf = { robin, kim };
    const text = JSON.stringify(patchOf(...operations)).replaceAll(/\b(robin|kim)\b/g, (name) => idOf[name as "kim"]);
    expect((await scim("PATCH", path, text)).statusCode).toBe(200);
    expect(await members()).toEqual(names.map((name) => idOf[name as "kim"]).toSorted());
  });

  it("change their name, with the identifier that Okta sends along", async () => {
    const { scim, path, group, records } = await withGroup();
    const operation = { op: "replace", value: { id: group.id, displayName: "Quality" } };
    expect((await scim("PATCH", path, patchOf(operation))).json()).toMatchObject({
      displayName: "Quality",
      externalId: "G-1",
    });
    expect((await scim("PUT", path, { displayName: "Lab", members: [] })).json()).toMatchObject({
      displayName: "Lab",
      members: [],
    });
    expect((await scim("PUT", path, { displayName: "Lab" })).json()).toMatchObject({ externalId: "G-1" });
    expect(
      (await scim("PATCH", path, patchOf({ op: "remove", path: "externalId" }))).json().externalId,
    ).toBeUndefined();
    expect((await records()).slice(3).map(({ action }) => action)).toEqual([
      "group.edit",
      "group.edit",
      "group.remove_user",
      "group.edit",
    ]);
  });

  it.each([
    ["the name of another", { op: "replace", path: "displayName", value: "EVERYBODY" }, "409 uniqueness"],
    ["no name", { op: "remove", path: "displayName" }, "400 mutability"],
    ["an empty name", { op: "replace", path: "displayName", value: "" }, "400 invalidValue"],
    ["somebody who is not there", { op: "add", path: "members", value: [{ value: randomUUID() }] }, "400 invalidValue"],
    ["a part of a member", { op: "replace", path: "members.display", value: "x" }, "400 mutability"],
    ["a chosen member", { op: "add", path: `members[value eq "x"]`, value: {} }, "400 noTarget"],
  ])("do not take %s", async (_, operation, refusal) => {
    const { scim, path, group } = await withGroup();
    expect(said(await scim("PATCH", path, patchOf({ op: "remove", path: "members" }, operation)))).toBe(refusal);
    expect((await scim("GET", path)).json()).toEqual(group);
  });

  it("compare no more members than a server has time for", async () => {
    const { scim, path, robin } = await withGroup();
    const invented = Array.from({ length: 2_000 }, () => ({ value: randomUUID() }));
    const add = { op: "add", path: "members", value: invented };
    const times = (count: number, filter: string) =>
      Array.from({ length: count }, () => ({ op: "remove", path: `members[${filter}]` }));
    const some = times(60, `value eq "x" or value eq "y"`);
    expect(said(await scim("PATCH", path, patchOf(add, ...some)))).toBe("400 invalidFilter");
    const all = [...times(60, `value eq "${robin}"`), { op: "remove", path: "members", value: invented }];
    expect((await scim("PATCH", path, patchOf(add, ...all))).statusCode).toBe(200);
  });

  it("have no groups as members", async () => {
    const { scim, path, members, robin, kim } = await withGroup();
    const operation = { op: "add", path: "members", value: [{ value: kim, type: "Group" }] };
    expect(said(await scim("PATCH", path, patchOf(operation)))).toBe("400 invalidValue");
    expect(await members()).toEqual([robin]);
  });

  it("go, but for the default one; their people stay somewhere", async () => {
    const { scim, path, everybody, robin } = await withGroup();
    expect(said(await scim("DELETE", `/Groups/${everybody}`))).toBe("400 mutability");
    expect((await scim("DELETE", path)).statusCode).toBe(204);
    for (const method of ["GET", "DELETE"] as const) expect(said(await scim(method, path))).toBe("404");
    expect((await scim("GET", `/Users/${robin}`)).json().groups).toMatchObject([{ value: everybody }]);
  });

  it.each([
    [`displayName eq "qa"`, 1],
    [`externalId eq "G-1"`, 1],
    [`externalId eq "g-1"`, 0],
    [`displayName eq "QA" and members eq "robin"`, 1],
    [`members.value eq "kim"`, 1],
    [`members eq "nobody"`, 0],
  ])("are found by %s", async (filter, count) => {
    const { scim, robin, kim } = await withGroup();
    const idOf = { robin, kim };
    const text = filter.replace(/"(robin|kim)"/, (_, name: "kim") => `"${idOf[name]}"`);
    expect((await scim("GET", `/Groups?filter=${encodeURIComponent(text)}`)).json().totalResults).toBe(count);
  });

  it("are listed page by page, without their members if these are not wanted", async () => {
    const { scim, everybody, group, path } = await withGroup();
    const list = (await scim("GET", "/Groups?excludedAttributes=members&count=1&startIndex=2")).json();
    expect(list).toMatchObject({ totalResults: 2, itemsPerPage: 1, startIndex: 2 });
    expect([everybody, group.id]).toContain(list.Resources[0].id);
    expect(list.Resources[0].members).toBeUndefined();
    expect((await scim("GET", `${path}?excludedAttributes=members`)).json().members).toBeUndefined();
    expect(Object.keys((await scim("GET", `${path}?attributes=members`)).json()).toSorted()).toEqual([
      "id",
      "members",
      "schemas",
    ]);
  });

  it("do not show whom the directory has removed", async () => {
    const { scim, robin, members } = await withGroup();
    await scim("DELETE", `/Users/${robin}`);
    expect(await members()).toEqual([]);
  });

  it("are unknown to the directories of others, as are their people", async () => {
    const test = await withGroup();
    const other = await aDirectoryOf(test, "fern.example");
    const theirs = await aGroup(test.db, other.organization, { name: "Lab" });
    const path = `/Groups/${theirs}`;
    for (const [method, body] of [
      ["GET"],
      ["PUT", { displayName: "Mine" }],
      ["PATCH", patchOf({ op: "remove", path: "members" })],
      ["DELETE"],
    ] as const)
      expect([method, said(await test.scim(method, path, body))]).toEqual([method, "404"]);
    expect(
      (await test.scim("GET", `/Groups?filter=${encodeURIComponent(`id eq "${theirs}"`)}`)).json().totalResults,
    ).toBe(0);
    for (const value of [other.manager.user.uuid, (await aUser(test.db, { role: "guest" })).uuid]) {
      const operation = { op: "add", path: "members", value: [{ value }] };
      expect(said(await test.scim("PATCH", test.path, patchOf(operation)))).toBe("400 invalidValue");
    }
    expect(await test.members()).toEqual([test.robin]);
  });
});

describe("many members", () => {
  /** Groups of so many people each, besides the one of everybody. */
  async function withCrowds(...counts: number[]) {
    const test = await withDirectory();
    const { db, organization, scim } = test;
    const crowds = [];
    for (const [index, count] of counts.entries()) {
      const group = await aGroup(db, organization, {
        name: `Crowd ${index}`,
        created_at: new Date(Date.UTC(2027, 0, index + 1)),
      });
      crowds.push(group);
      await sql`WITH people AS (
          INSERT INTO users (uuid, email, organization_uuid, created_at, is_validated)
          SELECT gen_random_uuid(), format('p%s-%s@moss.example', ${sql.lit(index)}, number), ${organization}, now(), true
          FROM generate_series(1, ${count}) AS number RETURNING uuid)
        INSERT INTO group_users (group_uuid, user_uuid) SELECT ${group}, uuid FROM people`.execute(db);
    }
    const list = async (query = "") => {
      const answer = (await scim("GET", `/Groups?${query}`)).json<{
        totalResults: number;
        startIndex: number;
        itemsPerPage: number;
        Resources: { displayName: string; members?: object[] }[];
      }>();
      return {
        ...answer,
        counts: answer.Resources.map(({ displayName, members }) => [displayName, members?.length]),
      };
    };
    return { ...test, crowds, list };
  }

  it("end a page of groups early, and the next one goes on there", async () => {
    const { list, crowds, scim } = await withCrowds(6_000, 3_999, 2, 10_001, 1);
    const [first, second, third, fourth] = [
      await list(),
      await list("startIndex=4"),
      await list("startIndex=5"),
      await list("startIndex=6"),
    ];
    expect([first.totalResults, first.itemsPerPage, first.counts]).toEqual([
      6,
      3,
      [
        ["Everybody", 0],
        ["Crowd 0", 6_000],
        ["Crowd 1", 3_999],
      ],
    ]);
    expect([second.startIndex, second.counts]).toEqual([4, [["Crowd 2", 2]]]);
    expect(third.counts).toEqual([["Crowd 3", 10_000]]);
    expect(fourth.counts).toEqual([["Crowd 4", 1]]);
    const one = (await scim("GET", `/Groups/${crowds[3]}`)).json<{ members: object[] }>();
    expect(one.members).toHaveLength(10_000);
  });

  it.each(["excludedAttributes=members", "attributes=displayName"])(
    "are not shown, and end nothing: %s",
    async (query) => {
      const { list } = await withCrowds(6_000, 6_000);
      expect((await list(query)).counts).toEqual([
        ["Everybody", undefined],
        ["Crowd 0", undefined],
        ["Crowd 1", undefined],
      ]);
    },
  );

  it("and many groups take as many queries as one", async () => {
    const { list, db, organization } = await withCrowds(1);
    const queries = vi.spyOn(Client.prototype, "query");
    const ofList = async () => {
      queries.mockClear();
      await list();
      return queries.mock.calls.length;
    };
    await list();
    const one = await ofList();
    for (let number = 0; number < 20; number++) await aGroup(db, organization, { name: `More ${number}` });
    expect(await ofList()).toBe(one);
  });
});
