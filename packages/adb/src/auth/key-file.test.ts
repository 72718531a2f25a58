import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { adbKeyIn } from "./key-file.ts";

async function aFolder() {
  const folder = await mkdtemp(join(tmpdir(), "adb-key-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe("adbKeyIn", () => {
  it("makes nothing before a device asks", async () => {
    const folder = await aFolder();
    adbKeyIn(folder);
    expect(await readdir(folder)).toEqual([]);
  });

  it("makes a key that only its owner can read, and finds it again", async () => {
    const folder = join(await aFolder(), "new");
    const { publicKey } = await adbKeyIn(folder)();
    expect(await readdir(folder)).toEqual(["adbkey"]);
    expect((await stat(join(folder, "adbkey"))).mode & 0o777).toBe(0o600);
    expect((await adbKeyIn(folder)()).publicKey).toBe(publicKey);
    expect(publicKey).toMatch(/ terrarium@.+$/);
  });

  it("has one key when several processes make one at once", async () => {
    const folder = await aFolder();
    const keys = await Promise.all([adbKeyIn(folder)(), adbKeyIn(folder)(), adbKeyIn(folder)()]);
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1);
    expect(await readdir(folder)).toEqual(["adbkey"]);
  });

  it("leaves a file alone that is no key, and reads it again once it is mended", async () => {
    const folder = await aFolder();
    const path = join(folder, "adbkey");
    await writeFile(path, "no key");
    const key = adbKeyIn(folder);
    await expect(key()).rejects.toThrow(/unsupported|DECODER|no start line/i);
    expect(await readFile(path, "utf8")).toBe("no key");
    await rm(path);
    expect((await key()).publicKey).toMatch(/ terrarium@/);
  });
});
