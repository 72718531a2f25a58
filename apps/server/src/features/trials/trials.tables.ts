import type { PlanRequestKind, PlanRequestState } from "@terrarium/contract";
import type { JSONColumnType } from "kysely";
import type { OptionalTime, Time, WithDefault } from "../../platform/db/columns.ts";

/** A trial or a plan that an organization has asked the operator for. */
export interface PlanRequestTable {
  uuid: string;
  organization_uuid: string;
  /** Who has asked; with their account, what they wrote of themselves ends. */
  user_uuid: string;
  kind: PlanRequestKind;
  state: WithDefault<PlanRequestState>;
  /** What was filled in, by the names of the contract. */
  form: JSONColumnType<Record<string, string>, string, never>;
  /** Why it was rejected. */
  reason: WithDefault<string>;
  requested_at: Time;
  decided_at: OptionalTime;
}

declare module "../../database/schema.ts" {
  interface Schema {
    plan_requests: PlanRequestTable;
  }
}
