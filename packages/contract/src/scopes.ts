import type { Route } from "./routes.ts";

/**
 * What an API token may do of what its owner may, each with all before it: `read` what there is; use `devices`, recipes and what they are
 * made of; `admin`ister the account, the organization and API tokens.
 */
export const scopes = ["read", "devices", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** The least scope of an API token that may call a route. A session may call whatever its user may. */
export function scopeOf({ scope, method, access }: Pick<Route, "scope" | "method" | "access">): Scope {
  if (scope !== undefined) return scope;
  // No API token has it: operators have none.
  if (access === "operator") return "admin";
  if (method === "GET") return "read";
  return access === "manager" || access === "signed-in" ? "admin" : "devices";
}

/** Whether one scope includes another. */
export const includesScope = (held: Scope, needed: Scope): boolean => scopes.indexOf(held) >= scopes.indexOf(needed);
