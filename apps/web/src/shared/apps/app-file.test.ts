import { expect, it } from "vitest";
import { whyNoApp } from "./app-file.ts";

const file = (content: string, name = "a.apk") => new File([content], name);
const apk = file("PK\u0003\u0004...");

it.each([
  ["an APK", [apk], undefined],
  ["no file", [], "several"],
  ["two", [apk, apk], "several"],
  ["an empty one", [file("")], "empty"],
  ["another kind of file", [file("%PDF-1.7")], "notAnApk"],
  ["half of the first bytes", [file("PK")], "notAnApk"],
  ["a bundle", [file("PK\u0003\u0004...", "app.XAPK")], "bundle"],
  ["a bundle that is none", [file("text", "app.apks")], "notAnApk"],
])("looks at %s", async (_, files, why) => {
  expect(await whyNoApp(files)).toBe(why);
});

it("takes what cannot be read, such as a folder, for no APK", async () => {
  const folder = {
    name: "apps",
    size: 4096,
    slice: () => ({ text: () => Promise.reject(new Error("NotFoundError")) }),
  };
  expect(await whyNoApp([folder as unknown as File])).toBe("notAnApk");
});
