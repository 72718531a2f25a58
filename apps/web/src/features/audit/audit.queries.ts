import { type audit, auditActions, type AuditKind, auditKinds, limits, type Sent } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { keepPreviousData } from "@tanstack/react-query";
import { mutation } from "../../components/mutation.ts";
import { saveAnswer } from "../../components/save-file.ts";
import type { ListAsk, FilterValues } from "../../components/list/list.ts";
import { client } from "../../session/client.ts";
import { startOfDay } from "../../components/days.ts";

type Query = Sent<typeof audit.list>["query"];
/** Of records, without which page of them. */
type Filter = Omit<Sent<typeof audit.export>["query"], "format">;

/** The kinds of actions, in the order of the contract. */
export const actionKinds = Object.keys(auditKinds) as AuditKind[];

/** What the service is asked for, by what the list's address says. Days are the reader's own. */
export const filterOf = (
  search: string | undefined,
  { kind = "any", outcome = "any", since = "", until = "", subject = "" }: FilterValues,
): Filter => ({
  ...(search && { actor: search.slice(0, limits.emailLength) }),
  ...(kind !== "any" && { action: auditActions.filter((action) => action.startsWith(`${kind}.`)) }),
  ...(outcome !== "any" && { outcome: outcome as "done" | "refused" }),
  ...(subject && { subject }),
  ...(since && { since: startOfDay(since).toISOString() }),
  ...(until && { until: startOfDay(until, 1).toISOString() }),
});

/** A page of the log. It is read again whenever somebody returns to it. */
export const auditPage = ({ page_size, before, search }: ListAsk, filters: FilterValues) => {
  const query: Query = { ...filterOf(search, filters), page_size, ...(before !== undefined && { before }) };
  return {
    queryKey: ["audit", query] as const,
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const { results, next } = await client.audit.list({ query }, { signal });
      return { results, count: results.length, next: next === null ? null : String(next) };
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
    refetchOnMount: "always" as const,
  };
};

/** Saves the log as a file: what the filters let through. That it was exported is in the log, too. */
export const exportAudit = mutation({
  mutationKey: ["audit", "export"],
  mutationFn: async (query: Sent<typeof audit.export>["query"]) => {
    const answer = await client.audit.export({ query });
    return saveAnswer(answer, `audit.${query.format}`);
  },
  invalidates: () => [["audit"]],
  says: (t, name) => t("audit.export.done", { name }),
  refuses: (t, error) =>
    t(error instanceof AppError && error.code === "TOO_MANY_REQUESTS" ? "audit.export.tooMany" : "audit.export.failed"),
});
