import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "./root.mjs";
import { filesUnder, SOURCES } from "./web-build.mjs";

it("builds anew for each page of the documentation that the web app shows", () => {
  const pages = readFileSync(join(root, "apps/web/src/features/docs/doc-pages.ts"), "utf8");
  const shown = Array.from(pages.matchAll(/import\("(?:\.\.\/)+([\w/]+\.md)"\)/g), ([, file]) => file);
  expect(shown).toContain("README.md");
  expect(SOURCES).toEqual(expect.arrayContaining(shown));
});

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
