import { describe, expect, it } from "vitest";
import { RateWindow } from "./rate-window.ts";

describe("RateWindow", () => {
  it("adds up until its time is over, and begins anew with what comes then", () => {
    const window = new RateWindow(1_000);
    expect([window.add(1, 500), window.add(2, 1_499), window.add(4, 1_500)]).toEqual([1, 3, 4]);
  });
});
