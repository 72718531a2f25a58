import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { arePackagesInstalled } from "./packages.mjs";

const wanted = {
  "": { version: "0.1.0" },
  "node_modules/a": { version: "1.0.0", integrity: "sha512-a1" },
  "node_modules/for-mac": { version: "1.0.0", integrity: "sha512-m1", optional: true },
  "packages/adb": { version: "0.1.0" },
};
const installed = { "node_modules/a": wanted["node_modules/a"], "packages/adb": { version: "0.1.0" } };

describe("arePackagesInstalled", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "terrarium-packages-"));
    mkdirSync(join(folder, "node_modules"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (file: string, packages: object) => writeFileSync(join(folder, file), JSON.stringify({ packages }));
  const isInstalled = (packages: object) => {
    write("package-lock.json", wanted);
    write("node_modules/.package-lock.json", packages);
    return arePackagesInstalled(folder);
  };

  it("is true when only optional ones are missing", () => expect(isInstalled(installed)).toBe(true));
  it("is false when one is missing", () => expect(isInstalled({ "packages/adb": {} })).toBe(false));
  it("is false when one has another version", () =>
    expect(isInstalled({ ...installed, "node_modules/a": { version: "1.0.1", integrity: "sha512-a2" } })).toBe(false));
  it("is false when there is one that is no longer needed", () =>
    expect(isInstalled({ ...installed, "node_modules/b": { version: "1.0.0", integrity: "sha512-b" } })).toBe(false));

  it("is false when nothing was installed", () => {
    write("package-lock.json", wanted);
    expect(arePackagesInstalled(folder)).toBe(false);
  });

  it("is false after an interrupted install", () => {
    write("package-lock.json", wanted);
    writeFileSync(join(folder, "node_modules/.package-lock.json"), '{"packages": {');
    expect(arePackagesInstalled(folder)).toBe(false);
  });
});
