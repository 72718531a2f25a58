import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { QuickBoot } from "./quick-boot.ts";

const none = new AbortController().signal;

it("keeps the last four kinds, links what was in memory, and removes what a process has left that ended", async () => {
  const folder = mkdtempSync(join(tmpdir(), "quick-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [root, avd] = [join(folder, "states"), join(folder, "avd")];
  mkdirSync(join(avd, "snapshots/terrarium"), { recursive: true });
  mkdirSync(join(avd, "hardware-qemu.ini.lock"));
  for (const name of ["ram.bin", "snapshot.pb"]) writeFileSync(join(avd, "snapshots/terrarium", name), name);
  writeFileSync(join(avd, "config.ini"), "");
  const quick = new QuickBoot(root, "qemu-img");
  const setTime = (name: string, hour: number) => utimesSync(join(root, name), hour * 3600, hour * 3600);
  for (const [at, key] of ["a", "b", "c", "d"].entries()) {
    await quick.save(key, avd, none);
    setTime(key, at + 1);
  }
  for (const name of ["old.new", "now.new"]) mkdirSync(join(root, name));
  setTime("old.new", 9);
  const into = join(folder, "into");
  mkdirSync(into);
  expect(await quick.use("a", into, none)).toBe(true);
  expect(await quick.use("e", into, none)).toBe(false);
  await quick.save("e", avd, none);
  expect(readdirSync(root).toSorted()).toEqual(["a", "c", "d", "e", "now.new"]);
  expect(readdirSync(into).toSorted()).toEqual(["config.ini", "snapshots"]);
  const inodeOf = (place: string, name: string) => statSync(join(place, "snapshots/terrarium", name)).ino;
  expect(inodeOf(into, "ram.bin")).toBe(inodeOf(join(root, "a"), "ram.bin"));
  expect(inodeOf(into, "snapshot.pb")).not.toBe(inodeOf(join(root, "a"), "snapshot.pb"));
});
