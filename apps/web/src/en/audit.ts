import { type AuditActor, type AuditKind, auditKinds, type AuditSubject } from "@terrarium/contract";
import { sentences } from "./sentences.ts";

/** The sentences of the contract, one of each kind. */
const ofKinds = (word: "did" | "many" | "one"): unknown =>
  Object.fromEntries(
    Object.entries(auditKinds).flatMap(([kind, said]) => (word in said ? [[kind, said[word as "did"]]] : [])),
  );

/** Whoever has no address here. */
const actors: Record<AuditActor, string> = {
  user: "Somebody who is not a member",
  token: "A token of somebody who is not a member",
  provisioning: "The directory of the organization",
  operator: "The operator of this service",
  service: "Terrarium",
  nobody: "Somebody who was not signed in",
};

/** What managers see of their organization’s audit log. */
export const audit = sentences({
  audit: {
    table: "Audit log",
    filter: "Search people who acted",
    columns: {
      when: "When",
      what: "What",
      who: "Who",
      whom: "To whom or what",
      from: "From",
      actions: "Details",
    },
    columnsLead: "Choose what the table shows of your organization’s audit log.",
    did: ofKinds("did") as { [Kind in AuditKind]: (typeof auditKinds)[Kind]["did"] },
    /** What was refused, where the sentence above would be wrong. */
    refusedTo: { session: { open: "Tried to sign in" } },
    wasRefused: "Refused",
    kinds: { label: "Kind of action", any: "Any action", ...(ofKinds("many") as Record<AuditKind, string>) },
    outcomes: { label: "Outcome", any: "Any outcome", done: "Done", refused: "Refused" },
    since: "From day",
    until: "To day",
    subject: { label: "Only what happened to {{id}}", all: "Show what happened to everything" },
    subjects: ofKinds("one") as Record<AuditSubject, string>,
    actors,
    byToken: "API token",
    details: {
      at: "Time",
      action: "Action",
      actor: "Who",
      credential: "Session or token",
      subject: "To whom or what",
      address: "From",
      request: "Request",
      byThem: "Show what this person did",
      toIt: "Show what happened to this",
    },
    export: {
      label: "Export",
      busy: "Exporting",
      csv: "For spreadsheets (CSV)",
      jsonl: "For programs (JSON lines)",
      done: "The audit log was saved as {{name}}.",
      failed: "The audit log was not exported. Try again.",
      tooMany: "The audit log was exported too often. Try again in an hour.",
    },
    empty: {
      title: "Nothing has happened yet",
      help: "What members of your organization do appears here, with when and from where they did it.",
    },
    noMatch: {
      title: "Nothing was recorded that matches",
      help: "People are searched by name and email address. Days are those of your time zone.",
      older: "Nothing older was recorded",
      olderHelp: "Records are kept for as long as the operator of this service has set.",
    },
    failed: "What is recorded is safe. Try again in a moment.",
  },
  errors: { fetchAudit: "The audit log did not load." },
});
