import { expect, it } from "vitest";
import { readCatalogueAddress, writeCatalogueAddress } from "./catalogue-address.ts";

const usual = { source: "all", search: "", arch: "all", page: 1 };

it.each([
  ["", "", usual],
  ["?search=%20pixel%20&arch=x86&page=3", "#official", { source: "official", search: "pixel", arch: "x86", page: 3 }],
  ["", "#custom", { ...usual, source: "custom" }],
  ["", "#all", usual],
  ["?arch=mips&page=0", "#theirs", usual],
  ["?page=1.5", "", usual],
])("reads %s%s", (search, hash, expected) => {
  expect(readCatalogueAddress({ search, hash })).toEqual(expected);
});

const now = { search: "?page=3&search=pixel&other=1", hash: "#custom" };
it.each([
  [{ page: 4 }, "?page=4&search=pixel&other=1", "#custom"],
  [{ page: 1 }, "?search=pixel&other=1", "#custom"],
  [{ search: "" }, "?other=1", "#custom"],
  [{ arch: "x86" as const }, "?search=pixel&other=1&arch=x86", "#custom"],
  [{ source: "all" as const }, "?search=pixel&other=1", "#all"],
])("writes %j", (change, search, hash) => {
  expect(writeCatalogueAddress(now, change)).toEqual({ search, hash });
});
