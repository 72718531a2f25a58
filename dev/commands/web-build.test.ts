import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { filesUnder } from "./web-build.mjs";

describe("filesUnder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "terrarium-web-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("lists sources, but no tests, build output or installed packages", () => {
    const sources = ["web/index.html", "web/src/Card.tsx", "web/src/distance.ts"];
    const others = ["web/dist/index.html", "web/node_modules/a/index.js", "web/src/Card.test.tsx", "other/file.ts"];
    for (const file of [...sources, ...others]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), "");
    }
    expect(filesUnder(folder, "web")).toEqual(sources);
    expect(filesUnder(folder, "web/index.html")).toEqual(["web/index.html"]);
  });
});
