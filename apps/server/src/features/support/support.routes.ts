import type { support } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";
import { sendToSupport, type SupportDeps } from "./support.ts";

export const supportRoutes = (deps: SupportDeps): Handlers<typeof support, Actor> => ({
  send: ({ body, ...from }) => sendToSupport(deps, body, from),
});
