import { limits, localPath } from "@terrarium/contract";
import type { Role } from "./session.ts";
import { launchpad, operatorHome, routeRules, type RouteRules } from "./routes.ts";

export interface Visitor {
  role: Role;
  hasAcceptedTerms: boolean;
}

/** Where a visitor is sent instead of `address`, or undefined when they may stay. The rules count in this order. */
export function guard(route: RouteRules, visitor: Visitor | undefined, address: string): string | undefined {
  // 1. Switched off
  if (route.isDisabled) return "/";
  // 2. Signed-in people need no front door
  if (visitor && route.signedOutOnly)
    return (route === routeRules.signIn && destinationOf(/\?[^#]*/.exec(address)?.[0] ?? "")) || homeOf(visitor);
  // 3. Terms first
  if (visitor && !visitor.hasAcceptedTerms && !route.beforeTerms)
    return withRedirect("/terms-and-conditions/", address);
  // 4. Operators have nothing of a customer's, and customers nothing of theirs
  const isOpenToAll = route.isPublic || route.beforeTerms || route.exempt;
  if (visitor?.role === "operator" && !route.operatorOnly && !route.alsoOperators && !isOpenToAll) return operatorHome;
  if (visitor && visitor.role !== "operator" && route.operatorOnly) return "/";
  // 5. Managers only
  if (visitor && route.managerOnly && visitor.role !== "manager") return "/";
  // 6. No guests
  if (visitor && route.notForGuests && visitor.role === "guest") return "/";
  // 7. Somebody must be signed in
  if (!visitor && !route.isPublic && !route.exempt) return withRedirect("/signin", address);
  return undefined;
}

/** The first page of somebody who is signed in. */
export const homeOf = ({ role }: Visitor): string => (role === "operator" ? operatorHome : launchpad);

export const withRedirect = (page: string, address: string): string =>
  `${page}?redirect=${encodeURIComponent(address)}`;

/** Where somebody was going who came to one of the pages on the way in. Only paths of our own count. */
export function destinationOf(search: string): string | undefined {
  const to = localPath(new URLSearchParams(search).get("redirect") ?? "");
  return to !== undefined && to.length <= limits.routeLength ? to : undefined;
}

/** The address to go on to after signing in or accepting the terms. */
export const redirectOf = (search: string): string => destinationOf(search) ?? launchpad;

/** Another page on the way in, which remembers where one was going. */
export function onTheWay(page: string, search: string): string {
  const to = destinationOf(search);
  return to === undefined ? page : withRedirect(page, to);
}
