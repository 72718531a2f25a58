import {
  type Invoice,
  isCancelling,
  isRenewalFailed,
  type Organization,
  type PlanKind,
  planKind,
  planTimes,
  type Subscription,
  type SubscriptionState,
  subscriptionState,
} from "@terrarium/contract";

const DAY_MS = 24 * 60 * 60 * 1000;

/** What a manager has to know at once. `date` is when something follows from it by itself. */
export interface Warning {
  what: "overdue" | "suspended" | "debtor" | "renewal" | "incomplete" | "expired" | "ended" | "inactive" | "unpaid";
  date?: Date;
}

/** Whether a plan waits for its first payment. */
export const isStarting = (plan: Subscription | null | undefined): boolean =>
  Boolean(plan && subscriptionState(plan) === "INCOMPLETE");

/** How the plan of an organization stands. */
export interface Standing {
  kind: PlanKind | null;
  plan: Subscription | null;
  state: SubscriptionState | "expired" | "inactive" | undefined;
  /** Whether it ends with its period. */
  isEnding: boolean;
  /** Whether it can be restored: not where the license ends, as the operator has said. */
  mayRestore: boolean;
  warnings: Warning[];
}

/** What follows from the plan, the license and the last invoice, at a time in milliseconds since 1970. */
export function standingOf(
  organization: Organization,
  plan: Subscription | null,
  last: Invoice | null | undefined,
  now: number,
): Standing {
  const { license, is_debtor } = organization;
  const state = plan ? subscriptionState(plan) : undefined;
  // One that waits for its first payment is no plan yet, and gives way to another.
  const kind = state === "INCOMPLETE" ? null : planKind({ type: license.type, subscription: plan });
  const since = Date.parse(plan?.status_history.at(-1)?.created_at ?? "");
  const after = (days: number) => new Date(since + days * DAY_MS);
  const isOver = license.expires_at !== null && Date.parse(license.expires_at) <= now;
  const warnings: Warning[] = [];
  if (state === "SUSPENDED") warnings.push({ what: "suspended", date: after(planTimes.cancelDays) });
  else if (state === "OVERDUE") warnings.push({ what: "overdue", date: after(planTimes.suspendDays) });
  if (state === "INCOMPLETE") warnings.push({ what: "incomplete" });
  if (plan && last && kind === "unlimited" && isRenewalFailed(last))
    warnings.push({ what: "renewal", date: new Date(plan.renewal?.ends_at ?? plan.current_period_end) });
  const isUnpaid = is_debtor && warnings.length === 0;
  if (isUnpaid) warnings.push({ what: license.is_active ? "debtor" : "unpaid" });
  // With a plan it is the operator who has ended it.
  if (isOver) warnings.push({ what: plan && kind ? "ended" : "expired" });
  else if (!license.is_active && state !== "SUSPENDED" && !isUnpaid) warnings.push({ what: "inactive" });
  const isEnding = plan !== null && kind === "unlimited" && isCancelling(plan);
  return {
    kind,
    plan,
    state: isOver ? "expired" : (state ?? (license.is_active ? undefined : "inactive")),
    isEnding,
    mayRestore: isEnding && license.expires_at === null,
    warnings,
  };
}
