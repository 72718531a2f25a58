import { Name } from "@terrarium/contract";
import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { addUsers, removeUsers } from "../groups/group-users.ts";
import { createGroup, editGroup, removeGroup } from "../groups/groups.ts";
import { lockLimits } from "../organizations/limits.ts";
import {
  type Directory,
  GROUP,
  metaOf,
  type ListQuery,
  type Resource,
  type Resources,
  type ScimDeps,
  uuidOf,
} from "./directory.ts";
import { invalidValue, notFound, ScimError } from "./scim-error.ts";
import { matches } from "./scim-filter.ts";
import { foldNames, type Step, stepsOf } from "./scim-patch.ts";
import { Text } from "./scim-users.ts";
import {
  type DirectoryGroup,
  findDirectoryGroup,
  findMembersOf,
  findMembersOfEach,
  listDirectoryGroups,
  upsertDirectoryGroup,
} from "./scim.store.ts";

/** Of one group, in one request; and of all groups, in one reply. */
const MAX_MEMBERS = 10_000;
/** Of members with filters, in all operations of a PATCH: some tens of milliseconds. */
const MAX_COMPARISONS = 100_000;

const Members = z
  .array(z.object({ value: z.string(), type: z.string().nullish() }))
  .max(MAX_MEMBERS)
  .transform((members) => members.map(memberOf));

function memberOf({ value, type }: { value: string; type?: string | null | undefined }): string {
  if (type && type.toLowerCase() !== "user") throw invalidValue("members: only users can be members of a group.");
  const uuid = uuidOf(value);
  if (uuid === undefined) throw invalidValue(`members: there is no user “${value.slice(0, 100)}”.`);
  return uuid;
}

/** What we read of a group; the names of attributes are in lower case. */
const Group = z.object({ displayname: Name, externalid: Text.nullish(), members: Members.nullish() });

/** What a directory wants to be different. What is undefined stays as it is. */
interface Change {
  name?: string | undefined;
  externalId?: string | null | undefined;
  /** Who is to be in it, by who is now. */
  members?: ((now: ReadonlySet<string>) => Set<string>) | undefined;
}

const changeOf = ({ displayname, externalid, members }: Partial<z.output<typeof Group>>): Change => ({
  name: displayname,
  externalId: externalid === undefined ? undefined : externalid || null,
  members: members ? () => new Set(members) : undefined,
});

/**
 * A page ends early, before a group whose members would be too many for it, as pages may (RFC 7644, section 3.4.2.4).
 * @throws ScimError invalidFilter
 */
export async function listGroups(
  { db, base }: ScimDeps,
  { organization }: Directory,
  { filter, withMembers, ...page }: ListQuery,
): Promise<Resources> {
  const { count, results } = await listDirectoryGroups(db, organization, filter, page);
  return { count, results: await present(db, base(), organization, results, withMembers) };
}

/** @throws ScimError 404 */
export async function getGroup(
  { db, base }: ScimDeps,
  { organization }: Directory,
  id: string,
  withMembers = true,
): Promise<Resource> {
  const uuid = uuidOf(id);
  const group = uuid && (await findDirectoryGroup(db, organization, uuid));
  const [shown] = group ? await present(db, base(), organization, [group], withMembers) : [];
  if (!shown) throw notFound();
  return shown;
}

/** Some of the groups, from the first on: those whose members can be shown in a reply. Of the first one no more than that are. */
async function present(
  db: Database,
  base: string,
  organization: string,
  groups: readonly DirectoryGroup[],
  withMembers: boolean,
): Promise<Resource[]> {
  const uuids = groups.map(({ uuid }) => uuid);
  const found = withMembers ? await findMembersOfEach(db, organization, uuids, MAX_MEMBERS + 1) : [];
  const last = found[MAX_MEMBERS];
  const whole = last ? Math.max(1, uuids.indexOf(last.group_uuid)) : groups.length;
  const members = Map.groupBy(found.slice(0, MAX_MEMBERS), ({ group_uuid }) => group_uuid);
  return groups.slice(0, whole).map(({ uuid, name, external_id, created_at, changed_at }) => ({
    schemas: [GROUP],
    id: uuid,
    ...(external_id !== null && { externalId: external_id }),
    displayName: name,
    ...(withMembers && {
      members: (members.get(uuid) ?? []).map((member) => ({
        value: member.uuid,
        type: "User",
        $ref: `${base}/Users/${member.uuid}`,
      })),
    }),
    meta: metaOf("Group", base, { uuid, created_at, changed_at }),
  }));
}

/**
 * Creates a group at the top, without an allocation of devices; managers move and allocate.
 * @throws ScimError, ZodError, and what `createGroup` throws
 */
export async function createDirectoryGroup(deps: ScimDeps, directory: Directory, body: unknown): Promise<Resource> {
  const { organization, by } = directory;
  const { name = "", ...change } = changeOf(Group.parse(foldNames(body)));
  const uuid = await transaction(deps.db, async (trx) => {
    const within = { ...deps, db: trx };
    const group = await createGroup(within, { organization }, { name }, by);
    await apply(within, directory, { uuid: group.uuid, name, external_id: null }, change);
    return group.uuid;
  });
  return getGroup(deps, directory, uuid);
}

/** Changes a group to what is sent whole. What is missing stays as it is. @throws what `changeGroup` throws */
export const replaceGroup = (deps: ScimDeps, directory: Directory, id: string, body: unknown): Promise<Resource> =>
  changeGroup(deps, directory, id, () => changeOf(Group.parse(foldNames(body))));

/** @throws what `changeGroup` and `stepsOf` throw */
export const patchGroup = (deps: ScimDeps, directory: Directory, id: string, body: unknown): Promise<Resource> =>
  changeGroup(deps, directory, id, () => patched(body));

/** @throws ScimError 404, invalidValue for members who are not there, and what `editGroup` throws */
async function changeGroup(
  deps: ScimDeps,
  directory: Directory,
  id: string,
  changeFor: () => Change,
): Promise<Resource> {
  const { organization } = directory;
  const uuid = uuidOf(id);
  await transaction(deps.db, async (trx) => {
    await lockLimits(trx, organization);
    const group = uuid && (await findDirectoryGroup(trx, organization, uuid));
    if (!group) throw notFound();
    await apply({ ...deps, db: trx }, directory, group, changeFor());
  });
  return getGroup(deps, directory, id);
}

async function apply(
  deps: ScimDeps,
  { organization, by }: Directory,
  { uuid, ...group }: Pick<DirectoryGroup, "uuid" | "name" | "external_id">,
  { name = group.name, externalId = group.external_id, members }: Change,
): Promise<void> {
  const { db: trx, audit, clock } = deps;
  const ours = { organization };
  if (name !== group.name) await editGroup(deps, ours, uuid, { name }, by);
  if (externalId !== group.external_id) {
    const details = { name, changed: "external_id" };
    await audit.record(trx, by, { action: "group.edit", subject: { kind: "group", uuid }, details });
  }
  const now = new Set(members && (await findMembersOf(trx, organization, uuid)).map((member) => member.uuid));
  const wanted = members?.(now) ?? now;
  const joined = [...wanted].filter((member) => !now.has(member));
  const left = [...now].filter((member) => !wanted.has(member));
  if (joined.length > 0) await addUsers(deps, ours, uuid, joined, by).catch(asMembers);
  if (left.length > 0) await removeUsers(deps, ours, uuid, left, by);
  if (name !== group.name || externalId !== group.external_id || joined.length + left.length > 0)
    await upsertDirectoryGroup(trx, { group_uuid: uuid, external_id: externalId, changed_at: new Date(clock.now()) });
}

/** In the protocol, 404 is about the group itself. */
function asMembers(error: unknown): never {
  const unknown = (error as { details?: Record<string, string> }).details?.["unknown"];
  throw unknown === undefined ? error : invalidValue(`members: there is no user ${unknown.slice(0, 200)}.`);
}

/** What a PATCH makes of a group. */
function patched(body: unknown): Change {
  const wanted: Record<string, unknown> = {};
  const changes: ((members: Set<string>) => void)[] = [];
  const budget = { comparisons: MAX_COMPARISONS };
  for (const step of stepsOf(body)) {
    const { op, attribute, value } = step;
    if (attribute === "members") changes.push(ofMembers(step, budget));
    else if (op === "remove" && attribute === "displayname")
      throw new ScimError(400, "mutability", "A group always has a displayName.");
    else if (op !== "remove" || attribute === "externalid") wanted[attribute] = op === "remove" ? null : value;
  }
  return {
    ...changeOf(Group.omit({ members: true }).partial().parse(wanted)),
    members:
      changes.length > 0
        ? (now) => {
            const members = new Set(now);
            for (const change of changes) change(members);
            return members;
          }
        : undefined,
  };
}

/** A change of the members that a group has until then. Filters compare with each of them, which is bounded for the whole PATCH. */
function ofMembers({ op, filter, part, value }: Step, budget: { comparisons: number }): (members: Set<string>) => void {
  if (part !== undefined && part !== "value") throw new ScimError(400, "mutability", "Only whole members change.");
  if (filter) {
    // `members[value eq "..."]`
    if (op !== "remove") throw new ScimError(400, "noTarget", "A member that is chosen can only be removed.");
    if (filter.op === "eq" && filter.attribute === "value")
      return (members) => void members.delete(String(filter.value));
    return (members) => {
      budget.comparisons -= members.size;
      if (budget.comparisons < 0)
        throw new ScimError(400, "invalidFilter", "Name the members to remove by `value eq`.");
      for (const member of members) if (matches(filter, { value: member, type: "User" })) members.delete(member);
    };
  }
  const isAll = op === "remove" && (value === undefined || value === null);
  const given = new Set(isAll ? [] : Members.parse([value].flat()));
  return (members) => {
    if (op === "replace" || isAll) members.clear();
    if (op === "remove") for (const member of given) members.delete(member);
    else for (const member of given) members.add(member);
  };
}

/** @throws ScimError 404; AppError GROUP_IS_DEFAULT */
export async function removeDirectoryGroup(deps: ScimDeps, { organization, by }: Directory, id: string): Promise<void> {
  const uuid = uuidOf(id);
  const group = uuid && (await findDirectoryGroup(deps.db, organization, uuid));
  if (!group) throw notFound();
  await removeGroup(deps, { organization }, group.uuid, by);
}
