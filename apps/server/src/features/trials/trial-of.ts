import { type Organization, trialTerms } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { findTrial } from "./trials.store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** When a trial that was approved at a time ends. */
export const trialEnd = (kind: keyof typeof trialTerms, approved: Date): Date =>
  new Date(approved.getTime() + trialTerms[kind].days * DAY_MS);

/** Where the trial of an organization stands; null if it has never asked for one. */
export async function trialOf(db: Database, organization: string): Promise<Organization["license"]["trial"]> {
  const row = await findTrial(db, organization);
  if (!row || row.kind === "premium") return null;
  const { kind, state, requested_at, decided_at } = row;
  return {
    kind,
    state,
    requested_at: requested_at.toISOString(),
    expires_at: state === "APPROVED" && decided_at ? trialEnd(kind, decided_at).toISOString() : null,
  };
}
