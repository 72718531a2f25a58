import type { accounts } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";
import { type AccountDeps, activate, resendLink, signUp } from "./accounts.ts";

export const accountRoutes = (deps: AccountDeps): Handlers<typeof accounts, Actor> => ({
  create: ({ body, query, ...from }) => signUp(deps, { ...body, ...query }, from),
  puzzle: () => deps.botCheck.puzzle(),
  activate: ({ params, ...from }) => activate(deps, params.key, from),
  resendLink: ({ body, query, ...from }) => resendLink(deps, { ...body, ...query }, from),
});
