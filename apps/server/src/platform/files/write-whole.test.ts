import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeWhole } from "./write-whole.ts";

async function aPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-whole-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "plants");
}

describe("writeWhole", () => {
  it("replaces a file, says what was written, and leaves nothing else", async () => {
    const path = await aPath();
    await writeFile(path, "a longer text");
    const sha256 = createHash("sha256").update("fernmoss").digest("hex");
    expect(await writeWhole(path, [Buffer.from("fern"), Buffer.from("moss")])).toMatchObject({ path, size: 8, sha256 });
    expect(await readFile(path, "utf8")).toBe("fernmoss");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(path, ".."))).toEqual(["plants"]);
  });

  it("does not touch the file that is there before all is written", async () => {
    const path = await aPath();
    await writeFile(path, "before");
    const content = async function* () {
      yield Buffer.from("fern");
      expect(await readFile(path, "utf8")).toBe("before");
      throw new Error("cut off");
    };
    await expect(writeWhole(path, content())).rejects.toThrow("cut off");
    expect(await readFile(path, "utf8")).toBe("before");
    expect(await readdir(join(path, ".."))).toEqual(["plants"]);
  });

  it("refuses a directory that does not exist", async () => {
    await expect(writeWhole(join(await aPath(), "fern"), [])).rejects.toThrow("ENOENT");
  });
});
