import type { audit } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";
import { byCaller } from "./by.ts";
import { exportRecords, listRecords, type ReadAuditDeps } from "./read-audit.ts";

export const auditRoutes = (deps: ReadAuditDeps): Handlers<typeof audit, Actor> => ({
  list: ({ actor, query }) => listRecords(deps, actor.organization, query),
  export: ({ query, ...call }) => exportRecords(deps, call.actor.organization, query, byCaller(call)),
});
