import { AppError, includesScope, type Route, type Scope, scopeOf } from "@terrarium/contract";
import type { OwnerRow, RoleRow } from "./sessions.store.ts";

/** Whoever a call is made by. */
export interface Actor {
  uuid: string;
  organization: string | null;
  isManager: boolean;
  /** Runs the service. They belong to no organization, and are no guest: nothing of a customer is theirs to use. */
  isOperator: boolean;
  hasAcceptedTerms: boolean;
  /** The session it signed in with; an API token has none. */
  session: string | undefined;
  /** The session or the API token: what was opened with it ends with it. */
  credential: string;
  /** All of it with a session; an API token may do what it was created for. */
  scope: Scope;
}

export const actorOf = (row: OwnerRow): Actor => ({
  uuid: row.user_uuid,
  organization: row.organization_uuid,
  isManager: isManager(row),
  isOperator: row.is_operator,
  hasAcceptedTerms: row.has_accepted_terms,
  session: row.is_token ? undefined : row.credential,
  credential: row.credential,
  scope: row.scope,
});

/**
 * The session of whoever signed in themselves: programs with an API token have no business with how and where their owner signs in.
 * @throws AppError FORBIDDEN
 */
export function sessionOf({ session }: Actor): string {
  if (session === undefined) throw new AppError("FORBIDDEN");
  return session;
}

/** A manager belongs to an organization and manages it. */
export const isManager = (user: RoleRow): boolean => user.organization_uuid !== null && user.is_organization_manager;

/** A guest belongs to no organization. */
export const isGuest = (actor: Pick<Actor, "organization">): boolean => actor.organization === null;

/** Throws when a route asks for more than the actor has. */
export function checkAccess(actor: Actor, route: Pick<Route, "access" | "method" | "scope" | "forbidden">): void {
  const { access, forbidden: message } = route;
  // To all others it is not there. Programs are no operators.
  if (access === "operator" && !(actor.isOperator && actor.session !== undefined))
    throw new AppError("ROUTE_NOT_FOUND");
  if (!includesScope(actor.scope, scopeOf(route))) throw new AppError("API_TOKEN_NOT_SCOPED");
  if (access === "public" || access === "signed-in" || access === "operator") return;
  if (actor.isOperator) throw new AppError("FORBIDDEN");
  if (!actor.hasAcceptedTerms) throw new AppError("TERMS_NOT_ACCEPTED");
  if (access === "user") return;
  if (isGuest(actor)) throw new AppError("FORBIDDEN", { message });
  if (access === "manager" && !actor.isManager) throw new AppError("FORBIDDEN", { message });
}
