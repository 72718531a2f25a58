import { describe, expect, it } from "vitest";
import { press, valueOf, valueText } from "./sum.ts";

describe("valueOf", () => {
  it.each([
    ["1+2×3", 7],
    ["(1+2)×3", 9],
    ["8−3−2", 3],
    ["8÷4÷2", 1],
    ["−5+2", -3],
    ["200×15%", 30],
    ["2×−3", -6],
  ])("%s is %d", (text, value) => expect(valueOf(text)).toBe(value));

  it.each(["", "1+", "1÷0", "(1", "1)", "1..2"])("%j has no value", (text) => expect(valueOf(text)).toBeUndefined());
});

describe("press", () => {
  it("puts a new operator in the place of the last", () => expect(press("1+", "×")).toBe("1×"));
  it("writes one point in a number", () => expect(press("1.5", ".")).toBe("1.5"));
  it("opens and closes brackets as they fit", () => {
    expect(["(", "1", "+", "2"].reduce(press, "")).toBe("(1+2");
    expect(press("(1+2", "()")).toBe("(1+2)");
  });
  it("hides the noise of binary fractions", () => expect(valueText(0.1 + 0.2)).toBe("0.3"));
});
