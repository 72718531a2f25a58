import { describe, expect, it } from "vitest";
import { moveInstance } from "../instances/move-instance.ts";
import { aGroup } from "../../testing/factories.ts";
import { withGroups } from "../../testing/groups.ts";
import { outcomeOf, sharing } from "../../testing/sharing.ts";

type Person = Awaited<ReturnType<typeof sharing>>["kim"];

const startOf = async (person: Person) => outcomeOf(await person.start());
const REACHED = "403 GROUP_ALLOCATION_REACHED";

describe("the allocation of a group", () => {
  it("limits the devices of its people together, and of nobody else", async () => {
    const { db, clock, organization, kim, robin, manager, tree } = await withGroups();
    const group = await aGroup(db, organization, { group_allocation: 2, people: [kim, robin] });
    const { uuid } = (await kim.start()).json();
    expect([await startOf(robin), await startOf(kim), await startOf(robin)]).toEqual(["201", REACHED, REACHED]);
    expect(await startOf(manager)).toBe("201");
    for (const event of ["fail", "dismiss"] as const)
      await moveInstance(db, { uuid, event, now: new Date(clock.now()) });
    expect([await startOf(robin), await startOf(kim)]).toEqual(["201", REACHED]);
    expect((await tree()).find(({ uuid }) => uuid === group)).toMatchObject({ running_instances: 2 });
  });

  it("of 0 lets nobody start, and none lets the organization's limit decide", async () => {
    const { db, organization, kim, robin } = await withGroups();
    await aGroup(db, organization, { group_allocation: 0, people: [kim] });
    await aGroup(db, organization, { people: [robin] });
    await db.updateTable("organizations").set({ instances_max: 1 }).where("uuid", "=", organization).execute();
    expect([await startOf(kim), await startOf(robin), await startOf(robin)]).toEqual([
      REACHED,
      "201",
      "403 TOO_MANY_RUNNING_VDS",
    ]);
  });

  it("holds for the people of its subgroups, which share it where they have none of their own", async () => {
    const { db, organization, kim, robin, manager } = await withGroups();
    const lab = await aGroup(db, organization, { group_allocation: 3, people: [manager] });
    await aGroup(db, organization, { parent_uuid: lab, group_allocation: 1, people: [kim] });
    const middle = await aGroup(db, organization, { parent_uuid: lab });
    await aGroup(db, organization, { parent_uuid: middle, people: [robin] });
    expect([await startOf(kim), await startOf(kim)]).toEqual(["201", REACHED]);
    expect([await startOf(robin), await startOf(robin), await startOf(robin)]).toEqual(["201", "201", REACHED]);
    expect(await startOf(manager)).toBe(REACHED);
  });

  it("must have room in each group that somebody is in; above these their devices count once", async () => {
    const { db, organization, kim, robin, tree } = await withGroups();
    const lab = await aGroup(db, organization, { group_allocation: 2 });
    await aGroup(db, organization, { parent_uuid: lab, group_allocation: 2, people: [kim] });
    await aGroup(db, organization, { parent_uuid: lab, people: [kim] });
    await aGroup(db, organization, { group_allocation: 1, people: [robin] });
    await aGroup(db, organization, { group_allocation: 5, people: [robin] });
    expect([await startOf(kim), await startOf(kim), await startOf(kim)]).toEqual(["201", "201", REACHED]);
    expect([await startOf(robin), await startOf(robin)]).toEqual(["201", REACHED]);
    expect((await tree()).find(({ uuid }) => uuid === lab)).toMatchObject({
      running_instances: 2,
      subgroups: [{ running_instances: 2 }, { running_instances: 2 }],
    });
  });

  it("counts somebody's running devices in a group that they join, and stops none when it shrinks", async () => {
    const { db, organization, kim, robin, manager } = await withGroups();
    const group = await aGroup(db, organization, { group_allocation: 2, people: [robin] });
    const { uuid } = (await kim.start()).json();
    await kim.start();
    await manager.post(`/v1/groups/${group}/users`, { user_uuids: [kim.user.uuid] });
    expect(await startOf(robin)).toBe(REACHED);
    await manager.put(`/v1/groups/${group}`, { quotas: { group_allocation: 1 } });
    expect((await kim.get(`/v1/instances/${uuid}`)).json().state).toBe("CREATING");
    await manager.delete(`/v1/groups/${group}/users`, { user_uuids: [kim.user.uuid] });
    expect(await startOf(robin)).toBe("201");
  });

  it("counts the devices that an older server starts, for their owners", async () => {
    const { db, organization, kim, robin, tree } = await withGroups();
    const group = await aGroup(db, organization, { group_allocation: 1, people: [kim, robin] });
    await kim.start();
    await db.updateTable("instances").set({ allocated_to: null }).execute();
    expect(await startOf(robin)).toBe(REACHED);
    expect((await tree()).find(({ uuid }) => uuid === group)).toMatchObject({ running_instances: 1 });
  });

  it("is exact for starts at the same moment, of different people too", async () => {
    const { db, organization, kim, robin } = await withGroups();
    const lab = await aGroup(db, organization, { group_allocation: 3 });
    for (const person of [kim, robin]) await aGroup(db, organization, { parent_uuid: lab, people: [person] });
    const outcomes = await Promise.all([kim, robin, kim, robin, kim, robin, kim, robin].map(startOf));
    expect(outcomes.toSorted()).toEqual([...Array(3).fill("201"), ...Array(5).fill(REACHED)]);
  });

  it("gives a repeated start the reply of the first", async () => {
    const { db, organization, kim } = await withGroups();
    await aGroup(db, organization, { group_allocation: 1, people: [kim] });
    const start = () => kim.start({}, { "idempotency-key": "one" });
    const [first, second] = [await start(), await start()];
    expect([first.statusCode, second.json().uuid]).toEqual([201, first.json().uuid]);
  });
});

describe("a device of a shared recipe", () => {
  it("counts for the groups of the recipe's owner, if somebody from outside started it", async () => {
    const { db, own, other, robin, gil, otto, share, startAs } = await sharing();
    await share(gil, otto);
    await aGroup(db, own, { group_allocation: 2, people: [robin] });
    await aGroup(db, other, { group_allocation: 0, people: [otto] });
    const start = async (person: Person, name: string) => outcomeOf(await startAs(person, name));
    expect([await start(gil, "1"), await start(otto, "2")]).toEqual(["201", "201"]);
    for (const person of [gil, otto, robin]) expect(await start(person, "3")).toBe(REACHED);
  });

  it("counts for no group, if an older server started it for somebody from outside", async () => {
    const { db, own, other, robin, otto, oona, manager, stranger, share, startAs } = await sharing();
    await share(otto);
    await aGroup(db, own, { group_allocation: 1, people: [robin] });
    await aGroup(db, other, { group_allocation: 1, people: [otto, oona] });
    await startAs(otto);
    await db.updateTable("instances").set({ allocated_to: null }).execute();
    expect([await startOf(oona), outcomeOf(await startAs(robin))]).toEqual(["201", "201"]);
    const counted = async (person: Person) => (await person.get("/v1/groups")).json()[0].running_instances;
    expect([await counted(manager), await counted(stranger)]).toEqual([1, 1]);
  });

  it("counts for the groups of a colleague who started it", async () => {
    const { db, own, robin, kim, startAs } = await sharing();
    await aGroup(db, own, { group_allocation: 0, people: [robin] });
    await aGroup(db, own, { group_allocation: 1, people: [kim] });
    const start = async (person: Person, name: string) => outcomeOf(await startAs(person, name));
    expect([await start(robin, "1"), await start(kim, "2"), await start(kim, "3")]).toEqual([REACHED, "201", REACHED]);
  });
});
