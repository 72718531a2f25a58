import type { ImportRefusal } from "@terrarium/contract";
import type { Cells } from "../../platform/spreadsheets/write-table.ts";
import { type ImportedLine, isRefused, type Outcome } from "./imported-line.ts";

const refusals: Record<ImportRefusal, string> = {
  EMAIL_MISSING: "No email address",
  EMAIL_INVALID: "Not an email address",
  GROUP_MISSING: "No group",
  GROUP_NAME_INVALID: "Not a name of a group: use up to 250 characters that can be seen",
  USER_NOT_FOUND: "Not in this organization. Invite them first.",
  GROUP_NOT_FOUND: "There is no such group. Create it first, or let the import do so.",
  TOO_MANY_GROUPS: "The group was not created: your organization has 1,000, which is the most it can have",
};

const why: Partial<Record<Outcome, string>> = {
  ...refusals,
  unchanged: "In this group already",
  repeated: "An earlier line says the same",
};

/**
 * The report of an import, a row for each line of the file: with its number there, and with its person and its group in columns that can be
 * imported again.
 */
export function reportOf(lines: readonly ImportedLine[], { isTrial }: { isTrial: boolean }): Cells {
  const added = isTrial ? "to add" : "added";
  const statusOf = (outcome: Outcome) =>
    isRefused(outcome) ? "failed" : outcome === "added" ? added : outcome === "waiting" ? "not reached" : "unchanged";
  return [
    ["line", "email", "group", "status", "reason"],
    ...lines.map(({ line, email, group, outcome }) => [line, email, group, statusOf(outcome), why[outcome] ?? ""]),
  ];
}
