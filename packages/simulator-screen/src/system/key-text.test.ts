import { describe, expect, it } from "vitest";
import { keyText } from "./key-text.ts";

describe("keyText", () => {
  it.each([
    [29, 0, "a"],
    [29, 1, "A"],
    [54, 0x100000, "Z"],
    [54, 0x100001, "z"],
    [7, 0, "0"],
    [8, 1, "!"],
    [62, 0, " "],
    [75, 1, '"'],
    [153, 0, "9"],
  ])("key %i with meta %i writes %j", (code, meta, text) => expect(keyText(code, meta)).toBe(text));

  it("is silent for keys that write nothing", () => expect(keyText(131, 0)).toBeUndefined());
});
