import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { domainOf } from "../../platform/mail/domain-of.ts";
import { findRelyingParty } from "../passkeys/relying-party.ts";
import type { Begun } from "../sessions/end-all.ts";
import type { UserRow } from "../users/user-row.ts";
import { findOwnWays, findRules, type RulesRow } from "./sign-in-rules.store.ts";

const HOUR_MS = 3_600_000;

export { isAllowedOrigin } from "./sign-in-rules.store.ts";

/** Operators do not rely on a provider: whoever runs it, a customer perhaps, would decide who is one. */
const waysOfOperators = ["password", "passkey"];

/**
 * Refuses a way to sign in that the organization of somebody, who has proved that they are it, does not allow, or that operators do not have.
 * @throws AppError SIGN_IN_NOT_ALLOWED
 */
export async function checkWay(
  db: Database,
  {
    uuid,
    organization_uuid,
    is_operator = false,
  }: { uuid: string | undefined; organization_uuid: string | null; is_operator?: boolean },
  way: string,
): Promise<void> {
  const facts = { way, ...(uuid !== undefined && { owner: { uuid, organization_uuid } }) };
  if (is_operator && !waysOfOperators.includes(way))
    throw new AppError("SIGN_IN_NOT_ALLOWED", {
      details: { ways: waysOfOperators.join(" "), organization: "Terrarium" },
      facts,
    });
  const rules = await findRules(db, organization_uuid);
  if (!rules?.allowed_sign_ins || rules.allowed_sign_ins.includes(way)) return;
  throw new AppError("SIGN_IN_NOT_ALLOWED", {
    details: { ways: rules.allowed_sign_ins.join(" "), organization: rules.name },
    facts,
  });
}

/** What sessions an organization admits when people join it: begun in a way that it allows, and at most this many milliseconds old. */
export async function rulesForNewMember(
  db: Database,
  organization: string | null,
): Promise<{ allows: (begun: Begun) => boolean; sessionMs: number }> {
  const rules = await findRules(db, organization);
  const allowed = rules?.allowed_sign_ins;
  return {
    allows: ({ way, vouched_by }) =>
      !allowed || allowed.includes((vouched_by === organization ? "organization" : way) ?? "unknown"),
    sessionMs: (rules?.session_hours ?? 0) * HOUR_MS,
  };
}

/** Whether a page that is not ours may sign somebody in: their organization has to allow its origin. */
export async function mayFrom(
  db: Database,
  { organization_uuid }: Pick<UserRow, "organization_uuid">,
  pageOrigin: string | undefined,
): Promise<boolean> {
  if (pageOrigin === undefined) return true;
  return (await findRules(db, organization_uuid))?.allowed_origins.includes(pageOrigin) ?? false;
}

/** In which ways people can sign in here at all. */
export interface WayDeps {
  /** The origin of the service's pages; passkeys for another do not count. */
  pagesAt: () => string;
  /** Those of the settings. One with which somebody has signed in before may be gone. */
  providers: { has(name: string): boolean };
}

/** In which ways somebody can sign in. */
export async function waysOf(
  db: Database,
  user: Pick<UserRow, "uuid" | "email" | "password_hash">,
  { own_provider }: Pick<RulesRow, "own_provider">,
  { pagesAt, providers: known }: WayDeps,
): Promise<Set<string>> {
  const { providers, hasPasskey } = await findOwnWays(db, user.uuid, findRelyingParty(pagesAt())?.id);
  return new Set([
    ...(user.password_hash === null ? [] : ["password"]),
    ...(hasPasskey ? ["passkey"] : []),
    ...providers.filter((provider) => known.has(provider)),
    ...(domainOf(user.email) === own_provider ? ["organization"] : []),
  ]);
}

/**
 * Call it when somebody has given up a way to sign in, in the same transaction. Returns those that are left.
 * @throws AppError LAST_WAY_TO_SIGN_IN, which must undo it, if their organization allows only some, and they have none of these any more
 */
export async function checkWayLeft(
  trx: Database,
  user: Pick<UserRow, "uuid" | "email" | "password_hash" | "organization_uuid">,
  deps: WayDeps,
): Promise<Set<string>> {
  const rules = await findRules(trx, user.organization_uuid);
  const ways = await waysOf(trx, user, rules ?? { own_provider: null }, deps);
  if (rules?.allowed_sign_ins && !rules.allowed_sign_ins.some((way) => ways.has(way)))
    throw new AppError("LAST_WAY_TO_SIGN_IN");
  return ways;
}
