import { describe, expect, it } from "vitest";
import { beginsWithParameters, nalUnitsOf, parametersIn } from "./annex-b.ts";

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

it("tells a thousand units of a packet apart, and leaves the rest in the last", () => {
  const packet = Buffer.alloc(16 * 1024 ** 2, Buffer.from([0, 0, 1, 9]));
  const units = nalUnitsOf(packet);
  expect([units.length, units[0]?.length, units.at(-1)?.length]).toEqual([1_000, 1, packet.length - 4 * 999 - 3]);
});

it("takes no parameter sets that a file has no room for", () => {
  const unit = (type: number, length: number) => Buffer.alloc(length, 1).fill(type, 0, 1);
  const [sps, pps] = [unit(0x67, 0xffff), unit(0x68, 0xffff)];
  expect(parametersIn([sps, pps])).toEqual({ sps, pps });
  expect(parametersIn([sps, unit(0x68, 0x10000)])).toBeUndefined();
  expect(parametersIn([unit(0x67, 0x10000), pps])).toBeUndefined();
});
