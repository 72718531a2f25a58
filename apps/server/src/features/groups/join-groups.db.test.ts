import { limits } from "@terrarium/contract";
import { expect, it } from "vitest";
import { aGroup } from "../../testing/factories.ts";
import { withGroups } from "../../testing/groups.ts";
import { byService } from "../audit/by.ts";
import { groupsMade, joinGroups } from "./join-groups.ts";

it("joins nobody to a group of another organization, and nobody of another organization to a group", async () => {
  const test = await withGroups();
  const { db, organization, everybody, kim, robin, stranger } = test;
  const theirs = await aGroup(db, stranger.user.organization_uuid ?? "", {});
  const wanted = [
    { group_uuid: everybody, user_uuid: stranger.user.uuid },
    { group_uuid: theirs, user_uuid: kim.user.uuid },
    { group_uuid: everybody, user_uuid: robin.user.uuid },
  ];
  const joined = await joinGroups(test, { organization }, wanted, { by: byService, isTrial: false });
  expect(joined).toEqual(["USER_NOT_FOUND", "GROUP_NOT_FOUND", "joined"]);
  expect(await db.selectFrom("group_users").selectAll().execute()).toEqual([wanted[2]]);
});

it("makes groups that are missing, on record, and none beyond what an organization may have", async () => {
  const test = await withGroups();
  const { db, organization, audited, clock } = test;
  const made = (...names: string[]) =>
    groupsMade(test, { organization }, names, { by: byService, isTrial: false }).then((groups) =>
      groups.map(({ name }) => name),
    );
  expect(await made("QA", "everybody")).toEqual(["QA", "Everybody"]);
  const about = { action: "group.create", actor: "service", details: { name: "QA", group_allocation: null } };
  expect((await audited()).at(-1)).toMatchObject(about);
  const others = Array.from({ length: limits.groups - 3 }, (_, index) => ({
    uuid: crypto.randomUUID(),
    organization_uuid: organization,
    name: `Group ${index}`,
    created_at: new Date(clock.now()),
  }));
  await db.insertInto("groups").values(others).execute();
  expect(await made("Last", "One more")).toEqual(["Last", null]);
  expect(await made("One more")).toEqual([null]);
});
