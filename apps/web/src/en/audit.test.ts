import { auditActions } from "@terrarium/contract";
import { expect, it } from "vitest";
import { audit } from "./audit.ts";

/** The types say so too: this finds sentences of actions that there are no longer, and empty ones. */
it("has a sentence for every action of the contract, and for no other", () => {
  const said = Object.entries(audit.audit.did).flatMap(([kind, verbs]) =>
    Object.entries<string>(verbs).map(([verb, sentence]) => [`${kind}.${verb}`, sentence] as const),
  );
  expect(said.map(([action]) => action).toSorted()).toEqual([...auditActions].toSorted());
  expect(said.filter(([, sentence]) => sentence.trim() === "")).toEqual([]);
  expect(new Set(said.map(([, sentence]) => sentence)).size).toBe(said.length);
});
