import { AppError } from "@terrarium/contract";
import type { DatabaseRateLimiter, Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import { lookUpByEmail, lookUpByUuid, type LookUpDeps, type Reachable } from "../users/look-up.ts";
import { findOrganizations } from "./shares.store.ts";

/** Each gets a mail. */
export const invitationsOfUser: Limit = { name: "people a user shared with", max: 300, windowMs: 60 * 60_000 };
/** So that ending and sharing again does not fill somebody's mailbox. */
export const invitationsOfPerson: Limit = { name: "times a user shared with a person", max: 20, windowMs: 60 * 60_000 };

interface Member {
  uuid: string;
  organization: string;
}

/**
 * The people with these uuids or e-mail addresses. Addresses are those of the member's own organization and of guests; a uuid may be
 * anybody's who can sign in. `retained` has uuids of people who need not be able to.
 * @throws RECIPIENTS_NOT_FOUND, which names all that are unknown; TOO_MANY_REQUESTS
 */
export async function findPeople(
  deps: LookUpDeps,
  member: Member,
  keys: readonly string[],
  retained: ReadonlySet<string>,
): Promise<Reachable[]> {
  const isEmail = (key: string) => key.includes("@");
  const byEmail = await lookUpByEmail(deps, member, keys.filter(isEmail));
  const byUuid = await lookUpByUuid(
    deps.db,
    keys.filter((key) => !isEmail(key)),
  );
  const people = [
    ...byEmail,
    ...byUuid.filter(
      ({ uuid, is_active, organization_uuid }) =>
        is_active || organization_uuid === member.organization || retained.has(uuid),
    ),
  ];
  const known = new Set(people.flatMap(({ uuid, email }) => [uuid, email]));
  const unknown = keys.filter((key) => !known.has(key));
  if (unknown.length > 0) throw new AppError("RECIPIENTS_NOT_FOUND", { details: { unknown: unknown.join(", ") } });
  return [...new Map(people.map((person) => [person.uuid, person])).values()];
}

/** @throws ORGANIZATION_NOT_FOUND, which names all that are unknown */
export async function checkOrganizations({ db }: LookUpDeps, uuids: readonly string[]): Promise<void> {
  const known = await findOrganizations(db, uuids);
  const unknown = uuids.filter((uuid) => !known.has(uuid));
  if (unknown.length > 0) throw new AppError("ORGANIZATION_NOT_FOUND", { details: { unknown: unknown.join(", ") } });
}

/** Counts people with whom a user shares something, each of whom gets a mail. @throws TOO_MANY_REQUESTS */
export async function countInvited(
  limiter: DatabaseRateLimiter,
  user: string,
  added: readonly { uuid: string }[],
): Promise<void> {
  if (added.length > 0) await limiter.take(invitationsOfUser, user, added.length);
  await Promise.all(added.map(({ uuid }) => limiter.take(invitationsOfPerson, `${user} ${uuid}`)));
}
