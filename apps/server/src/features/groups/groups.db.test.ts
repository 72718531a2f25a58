import { type Group, limits } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { aGroup } from "../../testing/factories.ts";
import { codeOf, namesOf, withGroups as setUp } from "../../testing/groups.ts";

describe("GET /v1/groups", () => {
  it("gives the groups at the top by name, each with its subgroups", async () => {
    const { create, tree, everybody } = await setUp();
    const lab = await create("Lab", { description: "Where it is tried" });
    await create("QA", { parent_uuid: lab.uuid });
    await create("design", { parent_uuid: lab.uuid });
    const groups = await tree();
    expect(namesOf(groups)).toEqual(["Everybody", "Lab", ["design", "QA"]]);
    expect(groups[0]).toEqual({
      uuid: everybody,
      name: "Everybody",
      description: "",
      parent_uuid: null,
      is_default: true,
      quotas: { group_allocation: null },
      running_instances: 0,
      user_count: 0,
      users: [],
      subgroups: [],
    });
  });

  it("counts the people of each group, and names the first five of them", async () => {
    const { db, as, organization, kim, robin, tree } = await setUp();
    const others = [];
    for (const name of ["ann", "bob", "cyd", "dan"])
      others.push(await as({ organization, fields: { email: `${name}@fernworks.test` } }));
    await aGroup(db, organization, { people: [robin, kim, ...others] });
    const [group] = (await tree()).filter(({ is_default }) => !is_default);
    expect(group?.user_count).toBe(6);
    expect(group?.users.map(({ email }) => email.split("@")[0])).toEqual(["ann", "bob", "cyd", "dan", "kim"]);
  });

  it("searches names and descriptions, and keeps the groups above what it finds", async () => {
    const { create, tree } = await setUp();
    const lab = await create("Lab");
    const qa = await create("QA", { parent_uuid: lab.uuid, description: "Night shift" });
    await create("Weekend", { parent_uuid: qa.uuid });
    await create("Design", { parent_uuid: lab.uuid });
    expect(namesOf(await tree("?search=NIGHT"))).toEqual(["Lab", ["QA"]]);
    expect(namesOf(await tree("?search=week"))).toEqual(["Lab", ["QA", ["Weekend"]]]);
    expect(namesOf(await tree("?search=every"))).toEqual(["Everybody"]);
    expect(await tree("?search=nothing%25")).toEqual([]);
  });
});

describe("POST /v1/groups", () => {
  it("creates a group below another", async () => {
    const { manager, create, tree, audited } = await setUp();
    const lab = await create("Lab", { quotas: { group_allocation: 4 } });
    const reply = await manager.post("/v1/groups/", {
      name: " QA ",
      parent_uuid: lab.uuid,
      description: "Tests",
      quotas: { group_allocation: 0 },
    });
    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toMatchObject({
      name: "QA",
      parent_uuid: lab.uuid,
      description: "Tests",
      is_default: false,
      quotas: { group_allocation: 0 },
    });
    expect(namesOf(await tree())).toEqual(["Everybody", "Lab", ["QA"]]);
    expect((await audited()).filter(({ action }) => action === "group.create")).toHaveLength(2);
  });

  it("refuses a name that another group has, whatever the case of its letters", async () => {
    const { manager, create, stranger } = await setUp();
    await create("Lab");
    const reply = await manager.post("/v1/groups", { name: "lab" });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      409,
      { code: "GROUP_EXISTS", message: "Group already exists" },
    ]);
    expect(await codeOf(stranger.post("/v1/groups", { name: "Lab" }))).toBe("201");
  });

  it.each([
    ["no name", { name: " " }, "name"],
    ["a name that cannot be seen", { name: "a\u200bb" }, "name"],
    ["a long name", { name: "a".repeat(251) }, "name"],
    ["a long description", { name: "a", description: "a".repeat(251) }, "description"],
    ["a negative allocation", { name: "a", quotas: { group_allocation: -1 } }, "quotas.group_allocation"],
    ["half a device", { name: "a", quotas: { group_allocation: 0.5 } }, "quotas.group_allocation"],
  ])("refuses %s", async (_, body, field) => {
    const { manager } = await setUp();
    const reply = await manager.post("/v1/groups", body);
    expect([reply.statusCode, reply.json().fields[0].field]).toEqual([400, field]);
  });

  it("refuses a parent of another organization as one that does not exist", async () => {
    const { manager, stranger } = await setUp();
    const theirs = (await stranger.post("/v1/groups", { name: "Theirs" })).json<Group>().uuid;
    for (const parent_uuid of [theirs, "00000000-0000-4000-8000-000000000000"])
      expect(await codeOf(manager.post("/v1/groups", { name: "Lab", parent_uuid }))).toBe("404 GROUP_NOT_FOUND");
  });

  it("nests groups eight deep", async () => {
    const { manager, create } = await setUp();
    let parent_uuid: string | null = null;
    for (let depth = 1; depth <= limits.groupDepth; depth++)
      parent_uuid = (await create(`Group ${depth}`, { parent_uuid })).uuid;
    expect(await codeOf(manager.post("/v1/groups", { name: "deeper", parent_uuid }))).toBe("400 GROUP_TOO_DEEP");
  });

  it("refuses more than a thousand groups, also to concurrent calls", async () => {
    const { db, organization, manager } = await setUp();
    const created_at = new Date();
    await db
      .insertInto("groups")
      .values(
        Array.from({ length: limits.groups - 3 }, (_, index) => ({
          uuid: crypto.randomUUID(),
          organization_uuid: organization,
          parent_uuid: null,
          name: `Group ${index}`,
          created_at,
        })),
      )
      .execute();
    const replies = await Promise.all(["a", "b", "c", "d"].map((name) => codeOf(manager.post("/v1/groups", { name }))));
    expect(replies.toSorted()).toEqual(["201", "201", "403 TOO_MANY_GROUPS", "403 TOO_MANY_GROUPS"]);
  });
});
