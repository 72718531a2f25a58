import type { showcase } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";
import { openShowcase, type ShowcaseDeps } from "./showcase.ts";

export const showcaseRoutes = (deps: ShowcaseDeps): Handlers<typeof showcase, Actor> => ({
  open: (call) => openShowcase(deps, call),
});
