import { describe, expect, it, onTestFinished, vi } from "vitest";
import { money } from "./money.ts";

describe("money", () => {
  it.each([
    [1234, "USD", "$12.34"],
    [1234, "EUR", "€12.34"],
    [1234, "eur", "€12.34"],
    [-500, "USD", "-$5.00"],
    [-500, "EUR", "-€5.00"],
    [0, "USD", "$0.00"],
    [20600, undefined, "$206.00"],
    [5, null, "$0.05"],
    [123_456_789, "USD", "$1,234,567.89"],
  ])("writes %i cents of %s as %s", (cents, currency, text) => expect(money(cents, currency)).toBe(text));

  it("warns of a currency that it does not know, and writes the amount all the same", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    expect(money(1234, "GBP")).toBe("12.34 GBP");
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
