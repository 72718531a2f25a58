import "../../en/administration.ts";
import { type QueryKey, keepPreviousData } from "@tanstack/react-query";
import type { Contract, Group, Sent, User } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import { findByEmail } from "../../shared/colleagues.queries.ts";
import { isGone } from "../../shared/is-gone.ts";

type Routes = Contract["groups"];
interface Asking {
  signal: AbortSignal;
}

export { groupTree } from "../../shared/groups.queries.ts";

/** A page of the people of a group. */
export const groupUsers = (uuid: string, query: Sent<Routes["users"]>["query"]) => ({
  queryKey: ["groups", "users", uuid, query] as const,
  queryFn: ({ signal }: Asking) => client.groups.users({ params: { uuid }, query }, { signal }),
  placeholderData: keepPreviousData,
});

/** What shows groups, who is in them, and the names of somebody's groups. */
const invalidates = (): QueryKey[] => [["groups"], ["users"]];

/** The form says what was refused. */
export const createGroup = mutation({
  mutationKey: ["groups", "create"],
  mutationFn: (body: Sent<Routes["create"]>["body"]) => client.groups.create({ body }),
  invalidates,
  announces: (t, _, { name }) => t("groups.created", { name }),
});

export const editGroup = mutation({
  mutationKey: ["groups", "edit"],
  mutationFn: ({ uuid, body }: { uuid: string; body: Sent<Routes["edit"]>["body"] }) =>
    client.groups.edit({ params: { uuid }, body }),
  invalidates,
  announces: (t, { name }) => t("groups.edited", { name }),
});

/** One that is gone already was what was wanted. */
export const deleteGroup = mutation({
  mutationKey: ["groups", "delete"],
  mutationFn: ({ uuid }: Group) =>
    client.groups.delete({ params: { uuid } }).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    }),
  invalidates,
  announces: (t, _, { name }) => t("groups.deleted", { name }),
});

/** People and a group. */
export interface Members {
  group: Group;
  users: readonly User[];
}
const uuidsOf = (users: readonly User[]) => users.map(({ uuid }) => uuid);

/** Adds the people of the organization who have these addresses. @throws RECIPIENTS_NOT_FOUND that names addresses nobody there has */
export const addUsers = mutation({
  mutationKey: ["groups", "add-users"],
  mutationFn: async ({
    group: { uuid },
    emails,
    organization,
  }: {
    group: Group;
    emails: string[];
    organization: string;
  }) => {
    const users = await findByEmail(emails, (user) => user.organization?.uuid === organization);
    return client.groups.addUsers({ params: { uuid }, body: { user_uuids: uuidsOf(users) } });
  },
  invalidates,
  announces: (t, _, { emails, group: { name } }) => t("groups.usersAdded", { count: emails.length, name }),
});

export const moveUsers = mutation({
  mutationKey: ["groups", "move-users"],
  mutationFn: ({ group, users, target }: Members & { target: Group }) =>
    client.groups.moveUsers({
      params: { uuid: target.uuid },
      body: uuidsOf(users).map((user_uuid) => ({ user_uuid, original_group_uuid: group.uuid })),
    }),
  invalidates,
  announces: (t, _, { users, target: { name } }) => t("groups.usersMoved", { count: users.length, name }),
});

export const removeUsers = mutation({
  mutationKey: ["groups", "remove-users"],
  mutationFn: ({ group: { uuid }, users }: Members) =>
    client.groups.removeUsers({ params: { uuid }, query: {}, body: { user_uuids: uuidsOf(users) } }),
  invalidates,
  announces: (t, _, { users, group: { name } }) => t("groups.usersRemoved", { count: users.length, name }),
});
