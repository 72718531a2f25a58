import { AppError, type ErrorCode, instanceStates } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { isIdentifier, refusalOf, stageOf } from "./refusal.ts";

describe("refusalOf", () => {
  it.each<[ErrorCode, string]>([
    ["INSTANCE_NOT_ALLOWED", "notAllowed"],
    ["INSTANCE_NOT_FOUND", "notFound"],
    ["INSTANCE_ENDED", "notRunning"],
    ["INVALID_IDENTIFIER", "invalid"],
    ["INTERNAL_ERROR", "other"],
  ])("tells %s as %s", (code, refusal) => {
    expect(refusalOf(new AppError(code))).toBe(refusal);
  });

  it("has words for what is none of the service's errors", () => {
    expect(refusalOf(new TypeError("x"))).toBe("other");
  });
});

describe("isIdentifier", () => {
  it("takes uuids of version 4 alone", () => {
    expect(isIdentifier("3f2b8f0e-8a55-4c39-9d6e-0d7a1c1f2b3a")).toBe(true);
    expect(isIdentifier("3F2B8F0E-8A55-4C39-9D6E-0D7A1C1F2B3A")).toBe(true);
    expect(isIdentifier("3f2b8f0e-8a55-1c39-9d6e-0d7a1c1f2b3a")).toBe(false);
    expect(isIdentifier("3f2b8f0e-8a55-4c39-7d6e-0d7a1c1f2b3a")).toBe(false);
    expect(isIdentifier("42")).toBe(false);
  });
});

describe("stageOf", () => {
  it("has a stage for every state", () => {
    const of = (wanted: string) => instanceStates.filter((state) => stageOf({ state }) === wanted);
    expect(of("starting")).toEqual([
      "INIT",
      "ASKED_CREATING",
      "CREATING",
      "CREATED",
      "ASKED_STARTING",
      "STARTING",
      "BOOTING",
    ]);
    expect(of("online")).toEqual(["ONLINE", "RUNNING"]);
    expect(of("windingDown")).toEqual(["ASKED_SAVING", "SAVING", "SAVED", "ASKED_STOPPING", "STOPPING", "STOPPED"]);
  });
});
