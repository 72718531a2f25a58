import type { passwords } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";
import { changePassword } from "./change-password.ts";
import { ownerOfLink, type PasswordDeps, requestPasswordLink, resetByLink } from "./passwords.ts";

export const passwordRoutes = (deps: PasswordDeps): Handlers<typeof passwords, Actor> => ({
  change: (call) => changePassword(deps, call.actor, call.body, call),
  requestLink: ({ body, ...from }) => requestPasswordLink(deps, body, from),
  checkLink: ({ params }) => ownerOfLink(deps, params.key),
  reset: ({ body, ...from }) => resetByLink(deps, body, from),
});
