import type { Group } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { aUser } from "../../testing/factories.ts";
import { codeOf, namesOf, withGroups } from "../../testing/groups.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { joinDefaultGroup } from "./default-group.ts";

const quota = (group_allocation: number | null) => ({ quotas: { group_allocation } });

describe("PUT /v1/groups/:uuid", () => {
  it("changes what is given, and leaves the rest", async () => {
    const { manager, create, audited } = await withGroups();
    const lab = await create("Lab", { description: "Where it is tried", ...quota(4) });
    const edit = async (body: object) => (await manager.put(`/v1/groups/${lab.uuid}`, body)).json<Group>();
    expect(await edit({ name: "Laboratory" })).toEqual({ ...lab, name: "Laboratory" });
    expect(await edit({ description: "" })).toMatchObject({ name: "Laboratory", description: "", ...quota(4) });
    expect(await edit(quota(6))).toMatchObject({ name: "Laboratory", ...quota(6) });
    expect(await edit({ name: "LABORATORY", parent_uuid: null, ...quota(6) })).toMatchObject({ name: "LABORATORY" });
    expect(await edit({ quotas: {} })).toMatchObject(quota(null));
    const edits = (await audited()).filter(({ action }) => action === "group.edit");
    expect(edits.map(({ details }) => details["changed"])).toEqual([
      "name",
      "description",
      "group_allocation",
      "name",
      "group_allocation",
    ]);
    await edit({ name: "LABORATORY" });
    expect((await audited()).filter(({ action }) => action === "group.edit")).toHaveLength(5);
  });

  it("keeps a group below its parent", async () => {
    const { manager, create, everybody } = await withGroups();
    const lab = await create("Lab");
    const qa = await create("QA", { parent_uuid: lab.uuid });
    const edit = (uuid: string, body: object) => codeOf(manager.put(`/v1/groups/${uuid}`, body));
    expect(await edit(qa.uuid, { parent_uuid: null })).toBe("400 GROUP_PARENT_FIXED");
    expect(await edit(lab.uuid, { parent_uuid: everybody })).toBe("400 GROUP_PARENT_FIXED");
    expect(await edit(lab.uuid, { parent_uuid: qa.uuid })).toBe("400 GROUP_PARENT_FIXED");
    expect(await edit(lab.uuid, quota(2))).toBe("200");
    expect(await edit(lab.uuid, { parent_uuid: everybody })).toBe("409 GROUP_WITH_QUOTA_MOVE_FORBIDDEN");
    expect(await edit(qa.uuid, { parent_uuid: lab.uuid, name: "QA 2" })).toBe("200");
  });

  it("refuses the name of another group", async () => {
    const { manager, create } = await withGroups();
    const lab = await create("Lab");
    expect(await codeOf(manager.put(`/v1/groups/${lab.uuid}`, { name: "everyBODY" }))).toBe("409 GROUP_EXISTS");
  });

  it("makes a group the default in place of the former one, which cannot just cease to be it", async () => {
    const { manager, create, tree, everybody, stranger } = await withGroups();
    await stranger.post("/v1/groups", { name: "Theirs", is_default: true });
    const lab = await create("Lab");
    expect(await codeOf(manager.put(`/v1/groups/${everybody}`, { is_default: false }))).toBe("409 GROUP_IS_DEFAULT");
    expect(await codeOf(manager.put(`/v1/groups/${lab.uuid}`, { is_default: true }))).toBe("200");
    const defaults = async () => (await tree()).filter((group) => group.is_default).map(({ name }) => name);
    expect(await defaults()).toEqual(["Lab"]);
    await create("Newcomers", { is_default: true });
    expect(await defaults()).toEqual(["Newcomers"]);
    expect((await stranger.get("/v1/groups")).json()).toMatchObject([{ name: "Theirs", is_default: true }]);
  });

  it("has a code for every allocation that does not fit", async () => {
    const { manager, create, everybody } = await withGroups();
    const edit = (uuid: string, allocation: number | null) =>
      codeOf(manager.put(`/v1/groups/${uuid}`, quota(allocation)));
    const add = (parent_uuid: string | null, allocation: number) =>
      codeOf(manager.post("/v1/groups", { name: crypto.randomUUID(), parent_uuid, ...quota(allocation) }));
    const lab = await create("Lab", quota(6));
    const qa = await create("QA", { parent_uuid: lab.uuid, ...quota(4) });
    expect(await add(null, 5)).toBe("409 QUOTA_PARENT_REMAINING_TOO_LOW");
    expect(await add(lab.uuid, 3)).toBe("409 QUOTA_PARENT_REMAINING_TOO_LOW");
    expect(await add(everybody, 1)).toBe("409 QUOTA_PARENT_WITHOUT_QUOTA");
    expect(await edit(qa.uuid, 7)).toBe("409 QUOTA_PARENT_REMAINING_TOO_LOW");
    expect(await edit(lab.uuid, 3)).toBe("409 QUOTA_GROUP_LT_CHILDREN");
    expect(await edit(lab.uuid, null)).toBe("409 QUOTA_CHILD_WITH_QUOTA");
    expect(await edit(lab.uuid, 10)).toBe("200");
    expect(await add(null, 1)).toBe("409 QUOTA_PARENT_REMAINING_TOO_LOW");
    expect([await edit(qa.uuid, null), await edit(lab.uuid, null)]).toEqual(["200", "200"]);
  });

  it("never allocates more than there is to concurrent calls", async () => {
    const { manager, tree } = await withGroups();
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        codeOf(manager.post("/v1/groups", { name: `Group ${index}`, ...quota(3) })),
      ),
    );
    expect(replies.filter((code) => code === "201")).toHaveLength(3);
    expect(replies.filter((code) => code === "409 QUOTA_PARENT_REMAINING_TOO_LOW")).toHaveLength(2);
    expect((await tree()).filter(({ quotas }) => quotas.group_allocation === 3)).toHaveLength(3);
  });
});

it("GET /v1/organizations/:uuid tells what is allocated to no group at the top", async () => {
  const { manager, create, organization, db } = await withGroups();
  const quotas = async () => (await manager.get(`/v1/organizations/${organization}`)).json().quotas;
  expect(await quotas()).toEqual({ group_allocation: 10, group_allocation_remaining: 10 });
  const lab = await create("Lab", quota(6));
  await create("QA", { parent_uuid: lab.uuid, ...quota(4) });
  expect(await quotas()).toEqual({ group_allocation: 10, group_allocation_remaining: 4 });
  await db.updateTable("organizations").set({ instances_max: 5 }).where("uuid", "=", organization).execute();
  expect(await quotas()).toEqual({ group_allocation: 5, group_allocation_remaining: 0 });
});

describe("DELETE /v1/groups/:uuid", () => {
  it("moves subgroups and people up to the parent", async () => {
    const { manager, kim, robin, everybody, create, tree, audited } = await withGroups();
    await manager.post(`/v1/groups/${everybody}/users`, { user_uuids: [manager.user.uuid] });
    const lab = await create("Lab", quota(6));
    const qa = await create("QA", { parent_uuid: lab.uuid, ...quota(4) });
    await create("Night", { parent_uuid: qa.uuid, ...quota(3) });
    await create("Day", { parent_uuid: qa.uuid });
    await manager.post(`/v1/groups/${qa.uuid}/users`, { user_uuids: [kim.user.uuid, robin.user.uuid] });
    await manager.post(`/v1/groups/${lab.uuid}/users`, { user_uuids: [robin.user.uuid] });
    expect(await codeOf(manager.delete(`/v1/groups/${qa.uuid}`))).toBe("204");
    const groups = await tree();
    expect(namesOf(groups)).toEqual(["Everybody", "Lab", ["Day", "Night"]]);
    expect(groups[1]).toMatchObject({ user_count: 2, subgroups: [quota(null), quota(3)] });
    expect((await audited()).at(-1)).toMatchObject({ action: "group.delete", details: { name: "QA" } });
    expect(await codeOf(manager.delete(`/v1/groups/${qa.uuid}`))).toBe("404 GROUP_NOT_FOUND");
  });

  it("moves people of a group at the top to the default group, and its subgroups to the top", async () => {
    const { manager, kim, everybody, create, tree } = await withGroups();
    const lab = await create("Lab");
    await create("QA", { parent_uuid: lab.uuid });
    await manager.post(`/v1/groups/${lab.uuid}/users`, { user_uuids: [kim.user.uuid] });
    expect(await codeOf(manager.delete(`/v1/groups/${lab.uuid}`))).toBe("204");
    expect(namesOf(await tree())).toEqual(["Everybody", "QA"]);
    const reply = await manager.get(`/v1/groups/${everybody}/users`);
    expect(reply.json().results).toMatchObject([{ email: "kim@fernworks.test" }]);
  });

  it("loses nobody who joins the default group while it gives way to another and is deleted", async () => {
    const { db, organization, manager, everybody, create } = await withGroups();
    const lab = await create("Lab");
    const { uuid } = await aUser(db, { organization });
    let deleting: ReturnType<typeof codeOf> | undefined;
    await db.transaction().execute(async (trx) => {
      await joinDefaultGroup(trx, { uuid, organization_uuid: organization });
      expect(await codeOf(manager.put(`/v1/groups/${lab.uuid}`, { is_default: true }))).toBe("200");
      deleting = codeOf(manager.delete(`/v1/groups/${everybody}`));
      await Promise.race([deleting, untilBlocked(db)]);
    });
    expect(await deleting).toBe("204");
    expect((await manager.get(`/v1/groups/${lab.uuid}/users`)).json().results).toMatchObject([{ uuid }]);
  });

  it("refuses the default group", async () => {
    const { manager, everybody } = await withGroups();
    expect(await codeOf(manager.delete(`/v1/groups/${everybody}`))).toBe("409 GROUP_IS_DEFAULT");
  });
});

it("groups of another organization are unknown", async () => {
  const { manager, stranger, everybody, kim } = await withGroups();
  await stranger.post("/v1/groups", { name: "Theirs" });
  const unknown = "404 GROUP_NOT_FOUND";
  const users = { user_uuids: [kim.user.uuid] };
  const path = `/v1/groups/${everybody}`;
  expect(await codeOf(stranger.get(`${path}/users`))).toBe(unknown);
  expect(await codeOf(stranger.put(path, { name: "Ours" }))).toBe(unknown);
  expect(await codeOf(stranger.delete(path))).toBe(unknown);
  for (const call of [stranger.post, stranger.delete]) expect(await codeOf(call(`${path}/users`, users))).toBe(unknown);
  expect((await stranger.get("/v1/groups")).json()).toMatchObject([{ name: "Theirs" }]);
  expect(await codeOf(manager.get(`${path}/users`))).toBe("200");
});
