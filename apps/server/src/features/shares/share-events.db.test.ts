import { expect, it } from "vitest";
import { connectSocket } from "../../testing/connect-socket.ts";
import { sharing } from "../../testing/sharing.ts";
import { forgetGone } from "../catalogue/catalogue.jobs.ts";
import { listCatalogueChanges } from "../catalogue/catalogue-changes.store.ts";

/** Connects everybody; `heard` waits for as many events of one as are expected. */
async function listening() {
  const test = await sharing({ listen: true });
  const sockets = Object.fromEntries(
    await Promise.all(
      Object.entries(test.people).map(async ([who, person]) => [who, await connectSocket(test.port, person)] as const),
    ),
  );
  const heard = async (who: keyof typeof test.people, count: number) =>
    (await sockets[who]!.count(count)).map(({ revision, is_gone }) => [revision, is_gone ?? false]);
  return { ...test, heard };
}

it("recipients hear of a recipe from when it is shared to when it is gone, and nobody else does", async () => {
  const { robin, gil, otto, kim, recipe, share, heard } = await listening();
  const { uuid } = await share(gil, kim);
  await robin.put(`/v2/recipes/${recipe}`, { name: "Moss" });
  await robin.put(`/v1/shares/${uuid}`, { recipients: { users: [kim.user.uuid, otto.user.uuid] } });
  await robin.put(`/v2/recipes/${recipe}`, { name: "Fern" });
  await robin.delete(`/v1/recipes/${recipe}`);
  expect(await heard("gil", 3)).toEqual([
    [2, false],
    [3, false],
    [4, true],
  ]);
  expect(await heard("otto", 3)).toEqual([
    [4, false],
    [5, false],
    [6, true],
  ]);
  expect(await heard("robin", 5)).toEqual([
    [2, false],
    [3, false],
    [4, false],
    [5, false],
    [6, true],
  ]);
  expect((await heard("kim", 10)).filter((_, index) => index % 2 === 0)).toEqual(await heard("robin", 5));
  expect([...(await heard("oona", 0)), ...(await heard("stranger", 0))]).toEqual([]);
});

it("a whole organization hears of it, and whoever still may use it does not hear that it is gone", async () => {
  const { robin, otto, own, other, shareAs, heard } = await listening();
  const { uuid } = (
    await shareAs(robin, { recipients: { users: [otto.user.uuid] }, organizations: [own, other] })
  ).json();
  await robin.put(`/v1/shares/${uuid}`, { recipients: { users: [] } });
  await robin.put(`/v1/shares/${uuid}`, { organizations: [other] });
  await robin.put(`/v1/shares/${uuid}`, { organizations: [] });
  expect(await heard("oona", 4)).toEqual([
    [2, false],
    [3, false],
    [4, false],
    [5, true],
  ]);
  expect(new Set((await heard("robin", 5)).map(([, isGone]) => isGone))).toEqual(new Set([false]));
  // By name and as a member, then as a member alone.
  expect((await heard("otto", 5)).filter(([, isGone]) => isGone)).toEqual([[5, true]]);
});

it("recipients are among those who are told what they have missed", async () => {
  const { db, gil, recipe, own, share, clock } = await sharing();
  await clock.advance(1000);
  const since = new Date(clock.now());
  await share(gil);
  expect(await listCatalogueChanges(db, since)).toEqual([
    { table: "recipes", uuid: recipe, status: "READY", revision: 2, recipients: [own, gil.user.uuid] },
  ]);
});

it("whoever missed that a recipe is gone is told again, for a day", async () => {
  const { db, robin, gil, otto, recipe, own, share, clock } = await sharing();
  const since = new Date(clock.now());
  const gone = async () => (await listCatalogueChanges(db, since)).filter(({ is_gone }) => is_gone);
  const { uuid } = await share(gil, otto);
  await robin.put(`/v1/shares/${uuid}`, { recipients: { users: [otto.user.uuid] } });
  const change = { table: "recipes", uuid: recipe, status: "READY", is_gone: true };
  expect(await gone()).toEqual([{ ...change, revision: 3, recipients: [gil.user.uuid] }]);
  await robin.delete(`/v1/recipes/${recipe}`);
  expect(await gone()).toContainEqual({ ...change, revision: 4, recipients: [own, otto.user.uuid] });
  await forgetGone.run({ db, clock });
  expect(await gone()).toHaveLength(2);
  await db.updateTable("recipes_gone").set({ at: since }).execute();
  await clock.advance(24 * 60 * 60_000 + 1);
  await forgetGone.run({ db, clock });
  expect(await gone()).toEqual([]);
});
