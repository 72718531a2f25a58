import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fromBase64, toBase64 } from "./base64.ts";

describe("base64", () => {
  for (const text of ["", "hi", "hé", "\ufeffmark", "𝄞".repeat(1000), "\u0000"])
    it(`gives ${JSON.stringify(text.slice(0, 8))} back`, () => assert.equal(fromBase64(toBase64(text)), text));

  it("is as the player writes it", () => {
    assert.equal(toBase64("hé"), "aMOp");
    assert.equal(fromBase64("aGk="), "hi");
  });

  for (const [what, base64] of [
    ["base64", "not base64!"],
    ["whole bytes", "YWJja"],
    ["UTF-8", "/w=="],
    ["base64 to its end", "aGk=aGk="],
  ])
    it(`refuses what is not ${what}`, () => assert.equal(fromBase64(base64 ?? ""), undefined));
});
