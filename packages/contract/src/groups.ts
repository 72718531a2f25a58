import { z } from "zod";
import {
  ByUuid,
  Description,
  GivenUuid,
  integerWithin,
  listOf,
  Name,
  orderingOf,
  pageOf,
  Paging,
  Search,
  Uuid,
} from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";
import { Person, User } from "./users.ts";

const Allocation = z.int().nullable().meta({
  description: "How many devices may run for it at once; null: as many as its parent has room for",
});

/** A group of people of an organization, with the groups below it. */
export const Group = z.object({
  uuid: Uuid,
  name: z.string(),
  description: z.string(),
  parent_uuid: Uuid.nullable(),
  is_default: z.boolean().meta({ description: "New members of the organization join it" }),
  quotas: z.object({ group_allocation: Allocation }),
  running_instances: z
    .int()
    .meta({ description: "The devices that count for its allocation: of its people and of those of its subgroups" }),
  user_count: z.int().meta({ description: "People in the group itself" }),
  users: z
    .array(Person)
    .meta({ description: "The first few of them by e-mail address; /v1/groups/{uuid}/users has all" }),
  get subgroups() {
    return z.array(Group);
  },
});
export type Group = z.infer<typeof Group>;
// The name by which the schema refers to itself.
z.globalRegistry.add(Group, { id: "Group" });

const Quotas = z.object({
  group_allocation: integerWithin({ min: 0, max: limits.groupAllocationMax })
    .nullish()
    .transform((allocation) => allocation ?? null)
    .meta({ description: "Null or missing: the resource pool of the parent" }),
});

const GroupFields = z.object({
  name: Name,
  parent_uuid: GivenUuid.nullable(),
  description: Description,
  is_default: z.boolean(),
  quotas: Quotas,
});

export const GroupBody = GroupFields.partial({ parent_uuid: true, description: true, is_default: true, quotas: true });
export type GroupBody = z.output<typeof GroupBody>;

/** What is missing stays as it is. */
export const GroupChange = GroupFields.partial();
export type GroupChange = z.output<typeof GroupChange>;

const Users = z.array(GivenUuid).min(1, "Required").max(limits.groupUsersAtOnce);

const quotaRefusals = [
  "QUOTA_PARENT_WITHOUT_QUOTA",
  "QUOTA_PARENT_REMAINING_TOO_LOW",
  "QUOTA_GROUP_LT_CHILDREN",
  "QUOTA_CHILD_WITH_QUOTA",
] as const;

export const groupsTag = tag("Your organization", "Groups", "Teams, with quotas of their own.");

export const groups = routes({
  list: {
    method: "GET",
    path: "/v1/groups",
    summary: "The groups of your organization: those at the top, each with its subgroups",
    access: "manager",
    query: z.object({
      search: Search.optional().meta({
        description: "Only groups with this in their name or description, and those above them",
      }),
    }),
    reply: z.array(Group),
  },
  create: {
    method: "POST",
    path: "/v1/groups",
    summary: "Create a group",
    access: "manager",
    audit: ["group.create"],
    body: GroupBody,
    status: 201,
    reply: Group,
    fails: [
      "GROUP_NOT_FOUND",
      "GROUP_EXISTS",
      "TOO_MANY_GROUPS",
      "GROUP_TOO_DEEP",
      "QUOTA_PARENT_WITHOUT_QUOTA",
      "QUOTA_PARENT_REMAINING_TOO_LOW",
    ],
  },
  edit: {
    method: "PUT",
    path: "/v1/groups/:uuid",
    summary: "Change a group; it stays below its parent",
    access: "manager",
    audit: ["group.edit"],
    params: ByUuid,
    body: GroupChange,
    reply: Group,
    fails: [
      "GROUP_NOT_FOUND",
      "GROUP_EXISTS",
      "GROUP_PARENT_FIXED",
      "GROUP_WITH_QUOTA_MOVE_FORBIDDEN",
      "GROUP_IS_DEFAULT",
      ...quotaRefusals,
    ],
  },
  delete: {
    method: "DELETE",
    path: "/v1/groups/:uuid",
    summary:
      "Delete a group. Its subgroups and its people move to its parent; people of a group at the top move to the default group",
    access: "manager",
    audit: ["group.delete"],
    params: ByUuid,
    status: 204,
    fails: ["GROUP_NOT_FOUND", "GROUP_IS_DEFAULT"],
  },
  users: {
    method: "GET",
    path: "/v1/groups/:uuid/users",
    summary: "The people of a group, without those of its subgroups",
    access: "manager",
    params: ByUuid,
    query: Paging.extend({
      search: Search.optional(),
      ordering: orderingOf(["email", "first_name", "last_name", "created_at"], "email"),
    }),
    reply: pageOf(User),
    fails: ["GROUP_NOT_FOUND", "PAGE_TOO_LARGE"],
  },
  addUsers: {
    method: "POST",
    path: "/v1/groups/:uuid/users",
    summary: "Add people of your organization to a group",
    access: "manager",
    audit: ["group.add_user"],
    params: ByUuid,
    body: z.object({ user_uuids: Users }),
    reply: Group,
    fails: ["GROUP_NOT_FOUND", "USER_NOT_FOUND"],
  },
  moveUsers: {
    method: "PUT",
    path: "/v1/groups/:uuid/users",
    summary: "Move people to a group, each from another one",
    access: "manager",
    audit: ["group.remove_user", "group.add_user"],
    params: ByUuid,
    body: z
      .array(
        z.object({
          user_uuid: GivenUuid,
          original_group_uuid: GivenUuid.nullable().meta({ description: "The group that they leave; null: none" }),
        }),
      )
      .min(1, "Required")
      .max(limits.groupUsersAtOnce),
    reply: Group,
    fails: ["GROUP_NOT_FOUND", "USER_NOT_FOUND"],
  },
  removeUsers: {
    method: "DELETE",
    path: "/v1/groups/:uuid/users",
    summary: "Remove people from a group; they stay in the organization",
    access: "manager",
    audit: ["group.remove_user"],
    params: ByUuid,
    query: z.object({
      user_uuids: listOf(GivenUuid, limits.groupUsersAtOnce).meta({
        description: "For clients that send no body with DELETE",
      }),
    }),
    body: z.object({ user_uuids: z.array(GivenUuid).max(limits.groupUsersAtOnce).optional() }),
    status: 204,
    fails: ["GROUP_NOT_FOUND", "USER_NOT_FOUND"],
  },
});
