import { describe, expect, it } from "vitest";
import { fromBase64, toBase64 } from "./base64.ts";

describe("base64", () => {
  for (const text of ["", "hi", "hé", "\ufeffmark", "𝄞".repeat(1000), "\u0000"])
    it(`gives ${JSON.stringify(text.slice(0, 8))} back`, () => expect(fromBase64(toBase64(text))).toBe(text));

  it("is as the player writes it", () => {
    expect(toBase64("hé")).toBe("aMOp");
    expect(fromBase64("aGk=")).toBe("hi");
  });

  for (const [what, base64] of [
    ["base64", "not base64!"],
    ["whole bytes", "YWJja"],
    ["UTF-8", "/w=="],
    ["base64 to its end", "aGk=aGk="],
  ])
    it(`refuses what is not ${what}`, () => expect(fromBase64(base64 ?? "")).toBeUndefined());
});
