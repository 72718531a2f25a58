import { limits, type ListedUser, type Received, type users } from "@terrarium/contract";
import { failedMails } from "../../platform/mail/send-mail.ts";
import { type Rows, windowOf } from "../../platform/http/pages.ts";
import type { Actor } from "../sessions/actor.ts";
import { lookUpByEmail, type LookUpDeps } from "./look-up.ts";
import { presentUser } from "./present-user.ts";
import { listUsers as listRows } from "./users.store.ts";
import type { UserRow } from "./user-row.ts";

type Member = Actor & { organization: string };
type Query = Received<typeof users.list>["query"];

/** The people of one's organization; for a manager, unless they ask for certain people, also those who are invited. */
export async function listUsers(deps: LookUpDeps, actor: Member, query: Query): Promise<Rows<ListedUser>> {
  const { db } = deps;
  const { users = query.emails, search } = query;
  const field = query.users ? query.field : "email";
  const found = isLookUp({ ...query, users, field }) ? await lookUpByEmail(deps, actor, users ?? []) : [];
  const { count, results } = await listRows(
    db,
    {
      organization: actor.organization,
      withInvited: actor.isManager && users === undefined,
      guests: found.map(({ uuid }) => uuid),
      search,
      searchField: query.search_field,
      only: users && { field, values: users },
      status: query.status,
      ordering: query.ordering,
    },
    windowOf(query),
  );
  const failed = await failedMails(
    db,
    results.flatMap(({ invitation }) => invitation?.mail_uuid ?? []),
  );
  return {
    count,
    results: results.map(({ invitation, ...user }) => ({
      ...presentFound(actor, user),
      invitation: invitation && {
        sent_at: invitation.sent_at.toISOString(),
        expires_at: invitation.expires_at.toISOString(),
        has_failed: invitation.mail_uuid !== null && failed.has(invitation.mail_uuid),
      },
    })),
  };
}

/** Whether guests are looked up as well. Not where search or order would reveal their names. */
const isLookUp = ({
  users,
  field,
  search,
  ordering,
}: Pick<Query, "users" | "field" | "search" | "ordering">): boolean =>
  field === "email" &&
  users !== undefined &&
  users.length <= limits.shareRecipients &&
  !search &&
  ordering.every((by) => !by.field.endsWith("_name"));

/** As `presentUser`; of people outside the actor's organization, nothing personal but the address they were found by. */
const presentFound = (actor: Actor, user: UserRow) =>
  user.organization_uuid === actor.organization
    ? presentUser(user)
    : { ...presentUser(user), first_name: "", last_name: "", front_preferences: {} };
