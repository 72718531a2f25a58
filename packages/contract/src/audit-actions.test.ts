import { expect, it } from "vitest";
import { auditKinds } from "./audit-actions.ts";

it("has a sentence of its own for every action", () => {
  const said = Object.values(auditKinds).flatMap(({ did }) => Object.values<string>(did));
  expect(said.filter((sentence) => sentence.trim() === "")).toEqual([]);
  expect(new Set(said).size).toBe(said.length);
});
