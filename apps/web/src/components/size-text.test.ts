import { expect, it } from "vitest";
import { sizeText } from "./size-text.ts";

it.each([
  [0, "0 bytes"],
  [1023, "1,023 bytes"],
  [1024, "1 kB"],
  [1536 * 1024, "1.5 MB"],
  [5 * 1024 ** 3, "5 GB"],
  [3000 * 1024 ** 4, "3,000 TB"],
])("says %d bytes as %s", (bytes, expected) => {
  expect(sizeText(bytes)).toBe(expected);
});
