import { describe, expect, it } from "vitest";
import { connectSocket } from "../../testing/connect-socket.ts";
import { aGroup } from "../../testing/factories.ts";
import { codeOf, withGroups } from "../../testing/groups.ts";

/** As `withGroups`, with two groups that kim and robin may be in. */
async function setUp() {
  const test = await withGroups();
  const [lab, design] = [await test.create("Lab"), await test.create("Design")];
  const emailsIn = async (group: string, query = "") =>
    (await test.manager.get(`/v1/groups/${group}/users${query}`))
      .json()
      .results.map(({ email }: { email: string }) => email.split("@")[0]);
  const add = (group: string, ...people: { user: { uuid: string } }[]) =>
    test.manager.post(`/v1/groups/${group}/users`, { user_uuids: people.map(({ user }) => user.uuid) });
  return { ...test, lab: lab.uuid, design: design.uuid, emailsIn, add };
}

describe("GET /v1/groups/:uuid/users", () => {
  it("lists the people of a group in pages, by search and in order", async () => {
    const { manager, kim, robin, lab, design, add, emailsIn } = await setUp();
    await add(lab, kim, robin, manager);
    await add(design, kim);
    expect(await emailsIn(lab)).toEqual(["kim", "maria", "robin"]);
    expect(await emailsIn(lab, "?ordering=-email&page_size=2")).toEqual(["robin", "maria"]);
    expect(await emailsIn(lab, "?search=ROB")).toEqual(["robin"]);
    expect(await emailsIn(design)).toEqual(["kim"]);
    const page = (await manager.get(`/v1/groups/${lab}/users?page_size=1`)).json();
    expect([page.count, page.results[0].groups.map(({ name }: { name: string }) => name)]).toEqual([
      3,
      ["Design", "Lab"],
    ]);
  });
});

describe("POST /v1/groups/:uuid/users", () => {
  it("adds people, once", async () => {
    const { kim, robin, lab, add, emailsIn, audited } = await setUp();
    expect((await add(lab, kim)).json()).toMatchObject({
      uuid: lab,
      user_count: 1,
      users: [{ email: kim.user.email }],
    });
    expect((await add(lab, kim, robin, kim)).json().user_count).toBe(2);
    expect(await emailsIn(lab)).toEqual(["kim", "robin"]);
    const added = (await audited()).filter(({ action }) => action === "group.add_user");
    expect(added.map(({ subject, details }) => [subject, details])).toEqual([
      [kim.user.email, { group: lab }],
      [robin.user.email, { group: lab }],
    ]);
  });

  it("adds nobody if one of them is unknown, as people of other organizations and guests are", async () => {
    const { as, manager, kim, stranger, lab, add, emailsIn } = await setUp();
    for (const person of [stranger, await as({ role: "guest" })]) {
      const reply = await add(lab, kim, person);
      expect([reply.statusCode, reply.json()]).toMatchObject([
        404,
        { code: "USER_NOT_FOUND", details: { unknown: person.user.uuid } },
      ]);
    }
    expect(await emailsIn(lab)).toEqual([]);
    expect(await codeOf(manager.post(`/v1/groups/${lab}/users`, { user_uuids: [] }))).toBe("400 invalid_request");
    const many = Array.from({ length: 1001 }, () => kim.user.uuid);
    expect(await codeOf(manager.post(`/v1/groups/${lab}/users`, { user_uuids: many }))).toBe("400 invalid_request");
  });
});

describe("PUT /v1/groups/:uuid/users", () => {
  it("moves each from the group that is named", async () => {
    const { manager, kim, robin, lab, design, everybody, add, emailsIn, audited } = await setUp();
    await add(lab, kim, robin);
    await add(everybody, kim);
    const reply = await manager.put(`/v1/groups/${design}/users/`, [
      { user_uuid: kim.user.uuid, original_group_uuid: lab },
      { user_uuid: robin.user.uuid, original_group_uuid: null },
    ]);
    expect([reply.statusCode, reply.json().user_count]).toEqual([200, 2]);
    expect([await emailsIn(lab), await emailsIn(design), await emailsIn(everybody)]).toEqual([
      ["robin"],
      ["kim", "robin"],
      ["kim"],
    ]);
    expect((await audited()).slice(-3).map(({ action, details }) => [action, details["group"]])).toEqual(
      expect.arrayContaining([
        ["group.remove_user", lab],
        ["group.add_user", design],
        ["group.add_user", design],
      ]),
    );
  });

  it("brings along who has left that group, and keeps who is moved to where they are", async () => {
    const { manager, kim, lab, design, add, emailsIn, audited } = await setUp();
    const move = (to: string, original_group_uuid: string) =>
      codeOf(manager.put(`/v1/groups/${to}/users`, [{ user_uuid: kim.user.uuid, original_group_uuid }]));
    expect(await move(design, lab)).toBe("200");
    expect(await emailsIn(design)).toEqual(["kim"]);
    await add(lab, kim);
    expect(await move(lab, lab)).toBe("200");
    expect(await emailsIn(lab)).toEqual(["kim"]);
    expect((await audited()).filter(({ action }) => action === "group.remove_user")).toEqual([]);
  });

  it("knows no groups and no people of others", async () => {
    const { manager, kim, stranger, lab, db } = await setUp();
    const theirs = await aGroup(db, stranger.user.organization_uuid ?? "", { people: [stranger] });
    const move = (user_uuid: string, original_group_uuid: string | null) =>
      codeOf(manager.put(`/v1/groups/${lab}/users`, [{ user_uuid, original_group_uuid }]));
    expect(await move(stranger.user.uuid, null)).toBe("404 USER_NOT_FOUND");
    expect(await move(kim.user.uuid, theirs)).toBe("404 GROUP_NOT_FOUND");
    expect(await db.selectFrom("group_users").selectAll().execute()).toEqual([
      { group_uuid: theirs, user_uuid: stranger.user.uuid },
    ]);
    expect(await codeOf(manager.put(`/v1/groups/${lab}/users`, []))).toBe("400 invalid_request");
  });
});

describe("DELETE /v1/groups/:uuid/users", () => {
  it("removes people, also from the default group", async () => {
    const { manager, kim, robin, everybody, add, emailsIn, audited } = await setUp();
    await add(everybody, kim, robin);
    expect(await codeOf(manager.delete(`/v1/groups/${everybody}/users/`, { user_uuids: [kim.user.uuid] }))).toBe("204");
    expect(await emailsIn(everybody)).toEqual(["robin"]);
    expect((await audited()).at(-1)).toMatchObject({ action: "group.remove_user", subject: kim.user.email });
    expect((await manager.get(`/v1/users/${kim.user.uuid}`)).json().groups).toEqual([]);
  });

  it("takes them in the query too, for clients that send no body", async () => {
    const { manager, kim, robin, stranger, lab, add, emailsIn } = await setUp();
    await add(lab, kim, robin);
    const path = `/v1/groups/${lab}/users`;
    expect(await codeOf(manager.delete(`${path}?user_uuids=${kim.user.uuid}&user_uuids=${robin.user.uuid}`))).toBe(
      "204",
    );
    expect(await emailsIn(lab)).toEqual([]);
    expect(await codeOf(manager.delete(path))).toBe("400 invalid_request");
    expect(await codeOf(manager.delete(path, { user_uuids: [stranger.user.uuid] }))).toBe("404 USER_NOT_FOUND");
  });
});

it("tells everybody's groups wherever people are told", async () => {
  const { manager, kim, lab, add } = await setUp();
  await add(lab, kim);
  const groups = [{ uuid: lab, name: "Lab" }];
  expect((await kim.get(`/v1/users/${kim.user.uuid}`)).json().groups).toEqual(groups);
  const listed = (await manager.get("/v2/users?search=kim")).json().results;
  expect(listed.map((user: { groups: object[] }) => user.groups)).toEqual([groups]);
});

it("tells managers' open pages of each change, and nobody else's", async () => {
  const { port, manager, kim, stranger, create, organization } = await withGroups({ listen: true });
  const [managers, members, others] = await Promise.all(
    [manager, kim, stranger].map(({ token }) => connectSocket(port, { token })),
  );
  const lab = await create("Lab");
  await managers!.count(1);
  await manager.post(`/v1/groups/${lab.uuid}/users`, { user_uuids: [kim.user.uuid] });
  await managers!.count(2);
  await manager.delete(`/v1/groups/${lab.uuid}/users`, { user_uuids: [kim.user.uuid] });
  await managers!.count(3);
  await manager.put(`/v1/groups/${lab.uuid}`, { name: "Laboratory" });
  await managers!.count(4);
  await manager.delete(`/v1/groups/${lab.uuid}`);
  expect((await managers!.count(5)).at(-1)).toMatchObject({ channel: "groups-updates", uuid: organization });
  expect([members!.received, others!.received]).toEqual([[], []]);
});
