import type { BudgetUnit } from "@terrarium/contract";
import type { OptionalTime, Time } from "../../platform/db/columns.ts";

/** How much of each month an organization, one of its groups or one of its people may use. */
export interface BudgetTable {
  uuid: string;
  organization_uuid: string;
  /** Whose it is; null for both is the organization's. */
  group_uuid: string | null;
  user_uuid: string | null;
  unit: BudgetUnit;
  /** Minutes, or hundredths of the currency. */
  amount: number;
  /** Whether devices stop once it is used up. */
  stops: boolean;
  /** When they do, as it is used up; null while it is not. */
  stops_at: OptionalTime;
  /** When its use was last looked at; null if it has changed since. */
  looked_at: OptionalTime;
  created_at: Time;
}

/** Managers were notified how much of a budget was used in a month. */
export interface BudgetNoticeTable {
  budget_uuid: string;
  /** When the month began. */
  month: Time;
  /** Percent. */
  threshold: number;
  at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    budgets: BudgetTable;
    budget_notices: BudgetNoticeTable;
  }
}
