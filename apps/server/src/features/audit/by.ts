import type { Actor } from "../sessions/actor.ts";
import type { AuditActor } from "@terrarium/contract";

/** Who does something, and from where. */
export interface By {
  kind: AuditActor;
  user?: string;
  /** The session or the API token. */
  credential?: string;
  organization?: string | null;
  address?: string;
  requestId?: string;
  /** The account of the operating system that runs the operator tool. */
  account?: string;
  /** Why, as an operator says. */
  reason?: string;
}

/** What a request says about who is acting. */
export interface Requested {
  actor?: Actor | undefined;
  ip: string;
  requestId: string;
  /** What the browser or program says of itself. */
  userAgent?: string | undefined;
  /** Of a page that is not ours, and acts for members of the organizations that allow its origin. */
  pageOrigin?: string | undefined;
}

/** The caller of a route. */
export function byCaller({ actor, ip, requestId }: Requested): By {
  const from = { address: ip, requestId };
  if (!actor) return { kind: "nobody", ...from };
  const { uuid: user, credential, organization, session, isOperator } = actor;
  const kind = session === undefined ? "token" : isOperator ? "operator" : "user";
  return { kind, user, credential, organization, ...from };
}

/** A caller who has no session yet, and has just proved to be this user. */
export const byUser = (
  from: Requested,
  { uuid: user, organization_uuid: organization }: { uuid: string; organization_uuid: string | null },
): By => ({ ...byCaller(from), kind: "user", user, organization });

/** Whoever uses the operator tool. Those who use the console are named by their account (`byCaller`). */
export const byOperator = (account: string): By => ({ kind: "operator", account });

/** Terrarium itself, because of a rule. */
export const byService: By = { kind: "service" };
