import { AppError } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { isFinal, waitAfter } from "./reconnect.ts";

describe("after a loss", () => {
  it("waits a second after a picture, then three, but not to replace a token that wore out", () => {
    expect(waitAfter("lost", true)).toBe(1_000);
    expect(waitAfter("lost", false)).toBe(3_000);
    expect(waitAfter("token", true)).toBe(0);
    expect(waitAfter("token", false)).toBe(3_000);
  });

  it("gives up only on what the service says for good", () => {
    expect(isFinal(new AppError("INSTANCE_ENDED"))).toBe(true);
    expect(isFinal(new AppError("INSTANCE_NOT_RUNNING"))).toBe(true);
    expect(isFinal(new AppError("SERVICE_UNAVAILABLE"))).toBe(false);
    expect(isFinal(new AppError("TOO_MANY_REQUESTS"))).toBe(false);
    expect(isFinal(new Error("no player"))).toBe(false);
  });
});
