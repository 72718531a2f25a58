import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { openDirectoryStore } from "./directory-store.ts";
import { FileNotFoundError } from "./file-store.ts";
import { describeFileStore } from "./testing/describe-file-store.ts";

async function temporary(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "terrarium-files-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

describeFileStore("a directory", async () => {
  const root = await temporary();
  const store = await openDirectoryStore(root);
  return { store, incoming: () => readdir(join(root, ".incoming")) };
});

it("deletes on opening what a killed process left a day ago, but no upload that may still be running", async () => {
  const root = await temporary();
  await openDirectoryStore(root);
  const incoming = join(root, ".incoming");
  for (const name of ["old", "new"]) await writeFile(join(incoming, name), "half");
  const dayAgo = Date.now() / 1000 - 24 * 60 * 60 - 10;
  await utimes(join(incoming, "old"), dayAgo, dayAgo);
  await openDirectoryStore(root);
  expect(await readdir(incoming)).toEqual(["new"]);
});

it("takes neither a folder for a file, nor a file for a folder", async () => {
  const store = await openDirectoryStore(await temporary());
  await store.put("backups/monday", Readable.from([Buffer.from("x")]), { maxBytes: 1 });
  for (const key of ["backups", "backups/monday/noon"]) {
    expect(await store.head(key)).toBeUndefined();
    await expect(store.get(key)).rejects.toThrow(FileNotFoundError);
    await store.delete(key);
  }
  for await (const { key } of store.list("backups/monday")) expect.unreachable(key);
  expect(await store.head("backups/monday")).toEqual({ key: "backups/monday", size: 1 });
});
