import { describe, expect, it } from "vitest";
import { waitAfter } from "./reconnect.ts";

describe("after a loss", () => {
  it("waits a second after a picture, then three, but not to replace a token that wore out", () => {
    expect(waitAfter("lost", true)).toBe(1_000);
    expect(waitAfter("lost", false)).toBe(3_000);
    expect(waitAfter("token", true)).toBe(0);
    expect(waitAfter("token", false)).toBe(3_000);
  });
});
