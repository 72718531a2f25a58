import { cp, mkdtemp, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findBinaries, locatePackage } from "./binaries.ts";
import { run } from "./processes.ts";

it("makes one working copy when the package has lost its symbolic links", async () => {
  const outer = await mkdtemp(join(tmpdir(), "terrarium-peer-binaries-"));
  onTestFinished(() => rm(outer, { recursive: true, force: true }));
  const pack = join(outer, "package");
  const text = await readFile(join(locatePackage(), "native/pg-symlinks.json"), "utf8");
  const links = new Set((JSON.parse(text) as { target: string }[]).map(({ target }) => basename(target)));
  await cp(locatePackage(), pack, { recursive: true, filter: (path) => !links.has(basename(path)) });

  const [first, second] = await Promise.all([1, 2].map(() => findBinaries([join(outer, "copies")], undefined, pack)));
  expect(first?.bin).toContain(join(outer, "copies"));
  expect(second).toEqual(first);
  const { output } = await run(join(first?.bin ?? "", "initdb"), ["--version"]);
  expect(output).toMatch(/^initdb \(PostgreSQL\) 18/);
  expect(await readlink(join(first?.bin ?? "", "../lib/libicuuc.so.60"))).toBe("libicuuc.so.60.2");
});
