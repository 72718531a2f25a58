import type { status } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";
import { statusReader, type StatusDeps } from "./status.ts";

export const statusRoutes = (deps: StatusDeps): Handlers<typeof status, Actor> => ({ get: statusReader(deps) });
