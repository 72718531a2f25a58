import { AppError, type Received, type SignInRules, type signInRules, signInWays } from "@terrarium/contract";
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { setOrganization } from "../organizations/organizations.ts";
import { mailManagers } from "../organizations/mail-managers.ts";
import type { Actor } from "../sessions/actor.ts";
import { lockProven, proveSelf } from "../users/prove-self.ts";
import { rulesChange } from "./rules-change.ts";
import { endLongSessions, findRules, type RulesRow } from "./sign-in-rules.store.ts";
import { type WayDeps, waysOf } from "./ways.ts";
import type { LimitedDeps } from "../deps.ts";

export interface SignInRuleDeps extends WayDeps, LimitedDeps {}

type Wanted = Received<typeof signInRules.set>["body"];

/** @throws AppError ORGANIZATION_NOT_FOUND for any but one's own */
export async function getRules(db: Database, actor: Actor, uuid: string): Promise<SignInRules> {
  const rules = actor.organization === uuid ? await findRules(db, uuid) : undefined;
  if (!rules) throw new AppError("ORGANIZATION_NOT_FOUND");
  return present(rules);
}

const present = ({ allowed_sign_ins, session_hours, allowed_origins, own_provider }: RulesRow): SignInRules => ({
  allowed_sign_ins: allowed_sign_ins && signInWays.filter((way) => allowed_sign_ins.includes(way)),
  session_hours,
  allowed_origins,
  own_provider,
});

/**
 * Changes how members sign in, for a manager who has proved who they are. Ways that are no longer allowed are refused at the next sign-in;
 * a shorter length of sessions ends those that are longer at once. All managers get a mail.
 * @throws AppError ORGANIZATION_NOT_FOUND; SIGN_IN_NEEDED if the manager could not sign in themselves; FORBIDDEN if they are no
 *   manager any more; what `proveSelf` throws
 */
export async function setRules(
  deps: SignInRuleDeps,
  actor: Actor,
  { uuid, password, ...wanted }: Wanted & { uuid: string },
  by: By,
): Promise<SignInRules> {
  const { db, clock, audit } = deps;
  await getRules(db, actor, uuid);
  const proven = await proveSelf(deps, actor, password);
  await transaction(db, async (trx) => {
    const rules = await findRules(trx, uuid, { lock: true });
    if (!rules) throw new AppError("ORGANIZATION_NOT_FOUND");
    const news = Object.fromEntries(
      Object.entries(wanted).filter(
        ([name, value]) =>
          value !== undefined && !isDeepStrictEqual(value, rules[name as keyof Wanted & keyof RulesRow]),
      ),
    ) as Partial<Omit<Wanted, "password">>;
    if (Object.keys(news).length === 0) return;
    // Held, so that who they have proved to be, their role and the way that is looked at are the same when the rule begins.
    const manager = await lockProven(trx, actor.uuid, proven);
    if (!manager.is_organization_manager || manager.organization_uuid !== uuid) throw new AppError("FORBIDDEN");
    if (news.allowed_sign_ins) {
      const ways = await waysOf(trx, manager, rules, deps);
      if (!news.allowed_sign_ins.some((way) => ways.has(way))) throw new AppError("SIGN_IN_NEEDED");
    }
    await setOrganization(trx, uuid, news);
    const sessions = news.session_hours === undefined ? 0 : await endLongSessions(trx, uuid, new Date(clock.now()));
    await audit.record(trx, by, {
      action: "organization.set_sign_in_rules",
      subject: { kind: "organization", uuid },
      details: {
        ...(news.allowed_sign_ins !== undefined && { allowed_sign_ins: news.allowed_sign_ins?.join(" ") ?? "any" }),
        ...(news.session_hours !== undefined && { session_hours: news.session_hours, sessions }),
        ...(news.allowed_origins && { allowed_origins: news.allowed_origins.join(" ") }),
      },
    });
    await mailManagers(trx, clock, {
      organization: uuid,
      by: manager.email,
      pagesAt: deps.pagesAt(),
      ...rulesChange(news),
    });
  });
  return getRules(db, actor, uuid);
}
