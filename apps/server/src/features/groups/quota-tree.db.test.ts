import { AppError, type Group, limits, quotaPlaceOf, quotaRefusal } from "@terrarium/contract";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aGroup, anOrganization } from "../../testing/factories.ts";
import { createGroup, editGroup, getGroups, removeGroup } from "./groups.ts";

const RUNS = 4;
const STEPS = 40;
const DEVICES = 12;

/** Groups are chosen by a number, from those that there are. */
const which = fc.nat(1000);
const allocation = fc.option(fc.nat(DEVICES + 2));
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant("create" as const), which: fc.option(which), allocation }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant("allocate" as const), which, allocation }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("move" as const), which, to: which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("makeDefault" as const), which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("delete" as const), which }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** All groups of a tree. */
const flat = (groups: readonly Group[]): Group[] => groups.flatMap((group) => [group, ...flat(group.subgroups)]);

const sumBelow = (groups: readonly Group[], parent: string | null): number =>
  groups.reduce(
    (sum, { parent_uuid, quotas }) => sum + (parent_uuid === parent ? (quotas.group_allocation ?? 0) : 0),
    0,
  );

/** What a form, which has read the groups, says that the service will answer. */
function foresee(
  groups: readonly Group[],
  place: { uuid?: string; parent_uuid: string | null },
  wanted: number | null,
) {
  const allocated = groups.map(({ uuid, parent_uuid, quotas }) => ({ uuid, parent_uuid, ...quotas }));
  return quotaRefusal(quotaPlaceOf(DEVICES, allocated, place), wanted) ?? "done";
}

function depthOf(groups: readonly Group[], uuid: string | null): number {
  const parent = groups.find((group) => group.uuid === uuid);
  return parent ? 1 + depthOf(groups, parent.parent_uuid) : 0;
}

/** An organization, with its groups as a manager changes and sees them. */
async function aTree({ db, clock, audit, operator: { by } }: Awaited<ReturnType<typeof createTestApp>>) {
  const deps = { db, clock, audit };
  const manager = { organization: await anOrganization(db, { instances_max: DEVICES }) };
  await aGroup(db, manager.organization, { is_default: true });
  const outcomeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "done",
      (error: unknown) => {
        if (error instanceof AppError) return error.code;
        throw error;
      },
    );
  return {
    read: async () => flat(await getGroups(deps, manager)),
    rows: () => db.selectFrom("groups").select("uuid").where("organization_uuid", "=", manager.organization).execute(),
    create: (parent_uuid: string | null, group_allocation: number | null) =>
      outcomeOf(
        createGroup(deps, manager, { name: crypto.randomUUID(), parent_uuid, quotas: { group_allocation } }, by),
      ),
    edit: (uuid: string, change: object) => outcomeOf(editGroup(deps, manager, uuid, change, by)),
    remove: (uuid: string) => outcomeOf(removeGroup(deps, manager, uuid, by)),
  };
}

/** What a step comes to, and what it should. */
async function take(tree: Awaited<ReturnType<typeof aTree>>, groups: readonly Group[], each: Step): Promise<string[]> {
  const chosen = (number: number) => groups[number % groups.length]!;
  if (each.does === "create") {
    const parent_uuid = each.which === null ? null : chosen(each.which).uuid;
    const isTooDeep = depthOf(groups, parent_uuid) >= limits.groupDepth;
    return [
      await tree.create(parent_uuid, each.allocation),
      isTooDeep ? "GROUP_TOO_DEEP" : foresee(groups, { parent_uuid }, each.allocation),
    ];
  }
  const { uuid, parent_uuid, is_default, quotas } = chosen(each.which);
  if (each.does === "allocate")
    return [
      await tree.edit(uuid, { quotas: { group_allocation: each.allocation } }),
      foresee(groups, { uuid, parent_uuid }, each.allocation),
    ];
  if (each.does === "move") {
    const to = chosen(each.to).uuid;
    const refusal = quotas.group_allocation === null ? "GROUP_PARENT_FIXED" : "GROUP_WITH_QUOTA_MOVE_FORBIDDEN";
    return [await tree.edit(uuid, { parent_uuid: to }), to === parent_uuid ? "done" : refusal];
  }
  if (each.does === "makeDefault") return [await tree.edit(uuid, { is_default: true }), "done"];
  return [await tree.remove(uuid), is_default ? "GROUP_IS_DEFAULT" : "done"];
}

it("whatever managers do, allocations fit into each other, and forms foresee what is refused", async () => {
  const test = await createTestApp();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      const tree = await aTree(test);
      let groups = await tree.read();
      for (const each of steps) {
        const [outcome, expected] = await take(tree, groups, each);
        expect(outcome).toBe(expected);
        groups = await tree.read();
        // All of them are below the top: there is no circle.
        expect(groups).toHaveLength((await tree.rows()).length);
        expect(groups.filter(({ is_default }) => is_default)).toHaveLength(1);
        expect(sumBelow(groups, null)).toBeLessThanOrEqual(DEVICES);
        for (const { uuid, quotas } of groups)
          expect(sumBelow(groups, uuid)).toBeLessThanOrEqual(quotas.group_allocation ?? 0);
        const sharing = groups.filter(({ quotas }) => quotas.group_allocation === null);
        const belowThem = sharing.flatMap(({ subgroups }) => subgroups.map(({ quotas }) => quotas.group_allocation));
        expect(belowThem.filter((allocated) => allocated !== null)).toEqual([]);
      }
    }),
    { numRuns: RUNS },
  );
  console.info(`Quotas: ${RUNS} trees of ${STEPS} changes each, as forms foresaw them`);
});
