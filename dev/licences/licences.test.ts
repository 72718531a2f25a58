import { describe, expect, it } from "vitest";
import { isAllowed, licenceOf } from "./licence.ts";
import { withList } from "./notice.ts";
import { sbomOf } from "./sbom.ts";
import { packagesShippedWith } from "./shipped-packages.ts";

const lock = {
  packages: {
    "apps/server": { dependencies: { "@terrarium/adb": "0.1.0", web: "1" } },
    "packages/adb": { dependencies: { deep: "2" } },
    "node_modules/@terrarium/adb": { link: true, resolved: "packages/adb" },
    "node_modules/web": {
      version: "1.0.0",
      license: "MIT",
      dependencies: { deep: "1" },
      optionalDependencies: { "for-mac": "1" },
    },
    "node_modules/deep": { version: "2.0.0", license: "ISC", dependencies: { web: "1" } },
    "node_modules/web/node_modules/deep": { version: "1.0.0", license: "GPL-3.0" },
    "node_modules/for-mac": { version: "1.0.0", license: "MIT", integrity: "sha512-AP8=" },
    "node_modules/a-test-tool": { version: "1.0.0", license: "MIT" },
  },
};

describe("packagesShippedWith", () => {
  it("lists transitive dependencies, through workspaces and nested packages, and nothing else", () => {
    expect(packagesShippedWith(lock, ["apps/server"])).toEqual([
      { name: "deep", version: "1.0.0", licence: "GPL-3.0" },
      { name: "deep", version: "2.0.0", licence: "ISC" },
      { name: "for-mac", version: "1.0.0", licence: "MIT", integrity: "sha512-AP8=" },
      { name: "web", version: "1.0.0", licence: "MIT" },
    ]);
  });
});

describe("isAllowed", () => {
  it.each(["MIT", "(MIT OR GPL-3.0)", "(MIT AND Zlib)"])("allows %s", (licence) =>
    expect(isAllowed(licence)).toBe(true),
  );
  it.each(["GPL-3.0", "AGPL-3.0 OR SSPL-1.0", "MIT AND GPL-3.0", "", undefined])("refuses %s", (licence) =>
    expect(isAllowed(licence)).toBe(false),
  );
});

describe("licenceOf", () => {
  it("knows the licence of a package that declares none", () =>
    expect(licenceOf("xmlhttprequest-ssl", undefined)).toBe("MIT"));
  it("does not guess", () => expect(licenceOf("some-package", undefined)).toBeUndefined());
});

describe("withList", () => {
  it("replaces the list and keeps the text above it", () => {
    const notice = "Terrarium\n\nPackages from npm\n-----------------\nold 1.0.0: MIT\n";
    expect(withList(notice, [{ name: "new", version: "2.0.0", licence: "ISC", integrity: undefined }])).toBe(
      "Terrarium\n\nPackages from npm\n-----------------\nnew 2.0.0: ISC\n",
    );
  });
});

describe("sbomOf", () => {
  it("has a component for each package, with its licence and the hash of its file", () => {
    const shipped = { name: "@scope/name", version: "1.2.3", licence: "MIT OR ISC", integrity: "sha512-AP8=" };
    const bom = JSON.parse(sbomOf("0.1.0", [shipped])) as Record<string, unknown>;
    expect(bom).toMatchObject({
      bomFormat: "CycloneDX",
      metadata: { component: { name: "terrarium", version: "0.1.0" } },
    });
    expect(bom.components).toEqual([
      {
        "bom-ref": "pkg:npm/%40scope/name@1.2.3",
        type: "library",
        name: "@scope/name",
        version: "1.2.3",
        purl: "pkg:npm/%40scope/name@1.2.3",
        licenses: [{ expression: "MIT OR ISC" }],
        hashes: [{ alg: "SHA-512", content: "00ff" }],
      },
    ]);
  });
});
