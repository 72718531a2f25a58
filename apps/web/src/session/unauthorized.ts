import type { AppError, Route } from "@terrarium/contract";

/** Calls at which a 401 is an answer like any other: signing in, up and out, and invitations. */
const exempt = [
  /^\/v1\/users\/login$/,
  /^\/v1\/users$/,
  /^\/v1\/users\/signout$/,
  /^\/v[12]\/accounts\/invites/,
  /^\/v1\/sso\/oauth\//,
];

/** True when an answer means that the session is over and the person must sign in again. */
export const endsSession = (error: Pick<AppError, "status">, route: Pick<Route, "path" | "method">): boolean =>
  error.status === 401 && !exempt.some((pattern) => pattern.test(route.path.replace(/\/$/, "")));
