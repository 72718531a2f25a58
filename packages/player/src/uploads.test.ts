import { expect, it } from "vitest";
import { parseUpload, uploadMessages } from "./uploads.ts";

it.each<[object, unknown]>([
  [
    { type: "token", token: "t" },
    { type: "token", token: "t" },
  ],
  [
    { type: "FILE_UPLOAD", name: "a.apk", size: 12 },
    { type: "begin", name: "a.apk", size: 12, id: undefined },
  ],
  [
    { type: "FILE_UPLOAD", name: "a", size: 0, id: "12345678" },
    { type: "begin", name: "a", size: 0, id: "12345678" },
  ],
  [
    { type: "FILE_UPLOAD", name: "a", size: 0, folder: "/sdcard/a/" },
    { type: "begin", name: "a", size: 0, id: undefined, folder: "/sdcard/a" },
  ],
  [{ type: "FILE_UPLOAD", done: true }, { type: "done" }],
  [{ type: "FILE_UPLOAD", cancel: true }, { type: "cancel" }],
])("understands %j", (said, command) => {
  expect(parseUpload(JSON.stringify(said))).toEqual(command);
});

it.each([
  "",
  "[]",
  ...[
    { type: "token" },
    { type: "token", token: "t".repeat(4097) },
    { type: "MOUSE_PRESS", x: 1, y: 1 },
    { type: "FILE_UPLOAD" },
    { type: "FILE_UPLOAD", name: "a", size: -1 },
    { type: "FILE_UPLOAD", name: "a", size: "12" },
    { type: "FILE_UPLOAD", name: "a".repeat(1025), size: 1 },
    { type: "FILE_UPLOAD", name: "a", size: 1, id: "short" },
    { type: "FILE_UPLOAD", name: "a", size: 1, id: { at: 1 } },
    { type: "FILE_UPLOAD", name: "a", size: 1, folder: "a" },
  ].map((said) => JSON.stringify(said)),
])("does not understand %.80s", (text) => {
  expect(parseUpload(text)).toBeUndefined();
});

it("says to a player no more than it knows", () => {
  const said = [
    uploadMessages.next(undefined, 5),
    uploadMessages.progress(undefined, 0.5),
    uploadMessages.success(undefined),
  ];
  expect(said.map((text) => JSON.parse(text) as unknown)).toEqual([
    { type: "FILE_UPLOAD", code: "NEXT" },
    { type: "FILE_UPLOAD", code: "PROGRESS", value: 0.5 },
    { type: "FILE_UPLOAD", code: "SUCCESS" },
  ]);
});
