import { expect, it } from "vitest";
import { devicePathOf, parseToolHello, parseToolRequest } from "./tools.ts";

it.each<[object, unknown]>([
  [
    { token: "t", tool: "logcat" },
    { token: "t", tool: "logcat" },
  ],
  [
    { token: "t", tool: "download", path: "/a/b" },
    { token: "t", tool: "download", path: "/a/b" },
  ],
  [
    { token: "t", tool: "download", path: "../b" },
    { token: "t", tool: "download" },
  ],
  [{ token: "t".repeat(4097), tool: "logcat" }, undefined],
  [{ token: "t", tool: "toString" }, undefined],
  [{ tool: "logcat" }, undefined],
  [[], undefined],
])("a page begins with %.60j", (said, hello) => {
  expect(parseToolHello(JSON.stringify(said))).toEqual(hello);
});

it.each<[object, unknown]>([
  [
    { id: 1, do: "list", path: "/" },
    { id: 1, what: "list", said: { id: 1, do: "list", path: "/" } },
  ],
  [{ id: -1, do: "list" }, undefined],
  [{ id: 1.5, do: "list" }, undefined],
  [{ id: 1, do: "x".repeat(33) }, undefined],
  [{ do: "list" }, undefined],
])("and asks with %j", (said, request) => {
  expect(parseToolRequest(JSON.stringify(said))).toEqual(request);
});

it.each([
  ["/", "/"],
  ["/sdcard//a/", "/sdcard/a"],
  ["/it's; $(x)\n-y", "/it's; $(x)\n-y"],
  ["/..a/b..", "/..a/b.."],
  ["/a/..", undefined],
  ["/ä".padEnd(900, "ä"), undefined],
])("a path is %j: %j", (given, path) => {
  expect(devicePathOf(given)).toBe(path);
});
