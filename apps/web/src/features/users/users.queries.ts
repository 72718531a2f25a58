import "../../en/administration.ts";
import type { Client } from "@terrarium/sdk";
import { AppError } from "@terrarium/sdk";
import type { ListedUser, Sent, User, users } from "@terrarium/contract";
import { keepPreviousData, type QueryClient } from "@tanstack/react-query";
import { nameOf } from "../../components/PersonMark.tsx";
import { each, SomeFailed } from "../../components/each.ts";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import { isGone } from "../../shared/is-gone.ts";

const pages = ["users", "page"] as const;
type Page = Awaited<ReturnType<Client["users"]["list"]>>;

/** A page of the organization's users. What was there stays in sight while another page or order is on its way. */
export const userPage = (query: Sent<typeof users.list>["query"]) => ({
  queryKey: [...pages, query] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.users.list({ query }, { signal }),
  placeholderData: keepPreviousData,
});

/** What is done with users. While it is under way their rows show what they are to become. */
export interface UserAct {
  users: readonly ListedUser[];
  change?: Sent<typeof users.update>["body"];
}

/** What mutations of users are named by. */
export const userActs = ["users", "act"] as const;

const first = ({ users: [user] }: UserAct) => ({ name: user ? nameOf(user) : "" });
const many = (act: UserAct) => ({ ...first(act), count: act.users.length });

const updateEach = async ({ users: all, change = {} }: UserAct): Promise<User[]> => {
  const changed: User[] = [];
  await each(all, async ({ uuid }) => changed.push(await client.users.update({ params: { uuid }, body: change })));
  return changed;
};
/** The reply takes the row's place at once: a switch does not jump back until the list is read again. */
const cacheUsers = (cache: QueryClient, changed: readonly User[]) => {
  cache.setQueriesData<Page>({ queryKey: pages }, (page) => {
    const now = (row: ListedUser) => ({ ...row, ...changed.find(({ uuid }) => uuid === row.uuid) });
    return page && { ...page, results: page.results.map(now) };
  });
  // A page that is on its way may have been read before the change, so it is asked for again.
  if (cache.isFetching({ queryKey: pages }) > 0) void cache.invalidateQueries({ queryKey: pages });
};
const reread = (refusal: Error | null) => (refusal ? [pages] : []);

/** Changes somebody's names. */
export const editUser = mutation({
  mutationKey: [...userActs, "edit"],
  mutationFn: updateEach,
  caches: cacheUsers,
  invalidates: reread,
  announces: (t, _, act: UserAct) => t("users.done.edit", first(act)),
  refuses: (t, _, act) => t("errors.editUser", first(act)),
});

/** Makes somebody a manager, or a user. */
export const editRole = mutation({
  mutationKey: [...userActs, "role"],
  mutationFn: updateEach,
  caches: cacheUsers,
  invalidates: reread,
  announces: (t, _, act: UserAct) => t("users.done.role", first(act)),
  refuses: (t, _, act) => t("errors.editRole", first(act)),
});

/** Lets people in, or denies them access. */
export const editStatus = mutation({
  mutationKey: [...userActs, "status"],
  mutationFn: updateEach,
  caches: cacheUsers,
  invalidates: reread,
  announces: (t, _, act: UserAct) =>
    t(act.change?.is_enabled ? "users.done.enabled" : "users.done.disabled", many(act)),
  refuses: (t, error, act) => {
    const failed = error instanceof SomeFailed ? (error.failed as SomeFailed<ListedUser>["failed"]) : [];
    const count = many({ users: failed.length > 0 ? failed.map(({ item }) => item) : act.users });
    const isTheirs = failed.length > 0 && failed.every((one) => isOperators(one.error));
    return t(isTheirs ? "errors.disabledByOperator" : "errors.editStatus", count);
  },
});

/** Mails invitations again, all in one call. */
export const resendInvitations = mutation({
  mutationKey: [...userActs, "resend"],
  mutationFn: ({ users: all }: UserAct) =>
    client.invitations.resend({ body: { genyids: all.map(({ genyid }) => genyid) } }),
  invalidates: () => [pages],
  says: (t, _, act) => t("users.done.resend", many(act)),
  refuses: (t, error) => t(isLimit(error) ? "errors.tooManyInvitations" : "errors.resendInvitation"),
});

/** Ends an invitation. One that is gone already was what was wanted. */
export const cancelInvitation = mutation({
  mutationKey: [...userActs, "cancel"],
  mutationFn: ({ users: all }: UserAct) => each(all, ({ uuid }) => client.invitations.cancel({ params: { uuid } })),
  invalidates: () => [pages],
  announces: (t, _, act) => t("users.done.cancel", first(act)),
  refuses: (t, error, act) =>
    error instanceof SomeFailed && error.failed.every((one) => isGone(one.error))
      ? undefined
      : t("errors.cancelInvitation", first(act)),
});

const isOperators = (error: unknown) => error instanceof AppError && error.code === "DISABLED_BY_OPERATOR";
const isLimit = (error: Error) => error instanceof AppError && error.code === "TOO_MANY_REQUESTS";

/** Invites people. That all of them are members is said at the field. */
export const invitePeople = mutation({
  mutationKey: ["users", "invite"],
  mutationFn: (body: { emails: string[]; optionalMessage: string }) => client.invitations.invite({ body }),
  invalidates: () => [pages],
  says: (t, { results }) => {
    const invited = results.filter(({ outcome }) => outcome === "invited");
    return t("users.done.invite", { count: invited.length, email: invited[0]?.email ?? "" });
  },
  refuses: (t, error) => {
    if (error instanceof AppError && ["ALREADY_MEMBERS", "invalid_request"].includes(error.code)) return undefined;
    return t(isLimit(error) ? "errors.tooManyInvitations" : "errors.invite");
  },
});
