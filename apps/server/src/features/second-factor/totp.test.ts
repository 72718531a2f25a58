import { describe, expect, it } from "vitest";
import { base32, fromBase32, otpauthUrl, totpStep } from "./totp.ts";

/** The secret of the test vectors of RFC 6238, appendix B. */
const secret = Buffer.from("12345678901234567890");

describe("totpStep", () => {
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("takes the code of RFC 6238 for %i seconds", (seconds, code) => {
    expect(totpStep(secret, code, seconds * 1000, null)).toBe(Math.floor(seconds / 30));
  });

  it("takes codes of the step before and after, and of none further away", () => {
    const taken = [-60, -30, 0, 30, 60].map((ahead) => totpStep(secret, "287082", (59 + ahead) * 1000, null));
    expect(taken).toEqual([undefined, 1, 1, 1, undefined]);
  });

  it("takes no code twice, nor one before it", () => {
    expect(totpStep(secret, "287082", 59_000, 0)).toBe(1);
    expect(totpStep(secret, "287082", 59_000, 1)).toBeUndefined();
    expect(totpStep(secret, "287082", 59_000, 2)).toBeUndefined();
  });

  it.each(["", "28708", "2870822", " 287082", "２８７０８２", "287083"])("refuses %j", (code) => {
    expect(totpStep(secret, code, 59_000, null)).toBeUndefined();
  });
});

it.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("writes %j as in RFC 4648, section 10", (text, written) => {
  expect(base32(Buffer.from(text))).toBe(written);
  expect(fromBase32(written).toString()).toBe(text);
});

it("names the account in the QR code, whatever is in its address", () => {
  expect(otpauthUrl(secret, "a+b&c@fern.test")).toBe(
    "otpauth://totp/Terrarium:a%2Bb%26c%40fern.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Terrarium",
  );
});
