import { AppError } from "@terrarium/contract";
import { expect, it } from "vitest";
import { isFinal } from "./final-refusal.ts";

it("gives up only on what the service says for good", () => {
  expect(isFinal(new AppError("INSTANCE_ENDED"))).toBe(true);
  expect(isFinal(new AppError("INSTANCE_NOT_RUNNING"))).toBe(true);
  expect(isFinal(new AppError("SERVICE_UNAVAILABLE"))).toBe(false);
  expect(isFinal(new AppError("TOO_MANY_REQUESTS"))).toBe(false);
  expect(isFinal(new Error("no player"))).toBe(false);
});
