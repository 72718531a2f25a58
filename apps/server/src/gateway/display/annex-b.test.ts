import { describe, expect, it } from "vitest";
import { beginsWithParameters } from "./annex-b.ts";

const rows: [string, number[], boolean][] = [
  ["an SPS after four bytes", [0, 0, 0, 1, 0x67, 1], true],
  ["an SPS after three bytes", [0, 0, 1, 0x27, 1], true],
  ["a delimiter and an SPS", [0, 0, 0, 1, 0x09, 0x10, 0, 0, 0, 1, 0x67], true],
  ["a delimiter and a slice", [0, 0, 0, 1, 0x09, 0x10, 0, 0, 0, 1, 0x65], false],
  ["a slice", [0, 0, 0, 1, 0x65, 0x67], false],
  ["a start code alone", [0, 0, 0, 1], false],
  ["no start code", [0x67, 0, 0, 1], false],
  ["nothing", [], false],
];

describe("beginsWithParameters", () => {
  for (const [what, bytes, expected] of rows)
    it(`is ${expected} for ${what}`, () => expect(beginsWithParameters(new Uint8Array(bytes))).toBe(expected));
});
