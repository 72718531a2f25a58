import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { placeOf } from "./place-of.ts";

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-place-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

it("placeOf names a data folder, always the same, and another folder otherwise", async () => {
  const [one, other] = [join(await aFolder(), "made"), await aFolder()];
  const [first, second] = await Promise.all([placeOf(one, "simulator"), placeOf(one, "simulator")]);
  expect(first).toMatch(/^simulator-[0-9a-f-]{36}$/);
  expect([second, await placeOf(one, "simulator")]).toEqual([first, first]);
  expect(await placeOf(other, "simulator")).not.toBe(first);
  expect(await readdir(one)).toEqual(["simulator-place"]);
});
