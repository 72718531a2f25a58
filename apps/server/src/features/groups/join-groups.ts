import { limits } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { By } from "../audit/by.ts";
import { joins } from "./group-users.ts";
import { changeGroups, type GroupDeps, type Manager } from "./groups.ts";
import {
  findGroupsNamed,
  findMembers,
  findMemberships,
  insertGroup,
  insertMemberships,
  type Membership,
  type NamedGroup,
} from "./groups.store.ts";

export type { NamedGroup } from "./groups.store.ts";

/** Whether something is only tried, and then nothing changes. */
interface Trial {
  isTrial: boolean;
}

/** The outcome for somebody who was to join a group. */
export type Joined = "joined" | "stayed" | "USER_NOT_FOUND" | "GROUP_NOT_FOUND";

/**
 * Adds people to groups in one transaction, `limits.groupUsersAtOnce` at most. Unlike with `addUsers`, whoever is unknown does not hold up
 * the others: the result has an entry for each, in their order.
 */
export const joinGroups = (
  deps: GroupDeps,
  manager: Manager,
  wanted: readonly Membership[],
  { by, isTrial }: Trial & { by: By },
): Promise<Joined[]> =>
  changeGroups(deps, manager, async ({ trx, organization, rows }) => {
    const groups = new Set(rows.map(({ uuid }) => uuid));
    const users = [...new Set(wanted.map(({ user_uuid }) => user_uuid))];
    const members = users.length > 0 ? await findMembers(trx, organization.uuid, users) : new Set();
    const possible = wanted.filter((each) => groups.has(each.group_uuid) && members.has(each.user_uuid));
    const known = new Set((await findMemberships(trx, possible)).map(keyOf));
    const joining = possible.filter((each) => !known.has(keyOf(each)));
    if (!isTrial && joining.length > 0)
      await deps.audit.record(trx, by, ...(await insertMemberships(trx, joining)).map(joins));
    return wanted.map((each) => {
      if (!members.has(each.user_uuid)) return "USER_NOT_FOUND";
      if (!groups.has(each.group_uuid)) return "GROUP_NOT_FOUND";
      return known.has(keyOf(each)) ? "stayed" : "joined";
    });
  });

const keyOf = ({ group_uuid, user_uuid }: Membership): string => `${group_uuid} ${user_uuid}`;

/** The groups of an organization by their names, in the order of these. */
export const groupsNamed = ({ db }: GroupDeps, { organization }: Manager, names: readonly string[]) =>
  findGroupsNamed(db, organization, names);

/**
 * As `groupsNamed`; but groups that are missing are created, at the top and without quotas, as far as the organization may have more. In a
 * trial, these have an identifier that nothing else has.
 */
export const groupsMade = (
  deps: GroupDeps,
  manager: Manager,
  names: readonly string[],
  { by, isTrial }: Trial & { by: By },
): Promise<NamedGroup[]> =>
  changeGroups(deps, manager, async ({ trx, organization, rows }) => {
    const named = await findGroupsNamed(trx, organization.uuid, names);
    const made = new Map<string, { uuid: string; name: string }>();
    for (const { given: name, key, uuid } of named)
      if (uuid === null && !made.has(key) && rows.length + made.size < limits.groups)
        made.set(key, { uuid: randomUUID(), name });
    if (!isTrial && made.size > 0) {
      const created_at = new Date(deps.clock.now());
      const common = { organization_uuid: organization.uuid, parent_uuid: null, is_default: false, created_at };
      await insertGroup(trx, ...[...made.values()].map((group) => ({ ...group, ...common })));
      const acts = [...made.values()].map(({ uuid, name }) => ({
        action: "group.create" as const,
        subject: { kind: "group" as const, uuid },
        details: { name, group_allocation: null },
      }));
      await deps.audit.record(trx, by, ...acts);
    }
    return named.map((each) => ({ ...each, ...made.get(each.key) }));
  });
