import { createHash, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { FileNotFoundError, type FileStore, FileTooLargeError, type StoredFile } from "../file-store.ts";

const MAX = { maxBytes: 1_000_000 };

async function* chunks(...parts: (string | Uint8Array)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) yield typeof part === "string" ? Buffer.from(part) : part;
}

async function* broken(): AsyncIterable<Uint8Array> {
  yield Buffer.from("half of");
  throw new Error("the sender disconnected");
}

const read = async (store: FileStore, ...args: Parameters<FileStore["get"]>): Promise<string> =>
  (await buffer(await store.get(...args))).toString();

async function listed(store: FileStore, folder?: string): Promise<string[]> {
  const found: StoredFile[] = [];
  for await (const file of store.list(folder)) found.push(file);
  return found.map(({ key, size }) => `${key} ${size}`).sort();
}

/**
 * The tests that every file store must pass.
 * @param open returns an empty store, and a way to list the unfinished uploads in it
 */
export function describeFileStore(
  name: string,
  open: () => Promise<{ store: FileStore; incoming: () => Promise<string[]> }>,
): void {
  describe(`${name}, as a file store`, () => {
    it("returns what was stored", async () => {
      const { store, incoming } = await open();
      const content = randomBytes(300_000);
      const sha256 = createHash("sha256").update(content).digest("hex");
      const stored = await store.put("layers/one.bin", chunks(content.subarray(0, 7), content.subarray(7)), MAX);
      expect(stored).toEqual({ key: "layers/one.bin", size: 300_000, sha256 });
      expect((await buffer(await store.get("layers/one.bin"))).equals(content)).toBe(true);
      expect(await store.head("layers/one.bin")).toEqual({ key: "layers/one.bin", size: 300_000 });
      expect(await incoming()).toEqual([]);
    });

    it("stores an empty file", async () => {
      const { store } = await open();
      expect(await store.put("empty", chunks(), MAX)).toMatchObject({ size: 0 });
      expect([await read(store, "empty"), await store.head("empty")]).toEqual(["", { key: "empty", size: 0 }]);
    });

    it("replaces the file with the same key", async () => {
      const { store } = await open();
      await store.put("a", chunks("the first content"), MAX);
      await store.put("a", chunks("second"), MAX);
      expect([await read(store, "a"), await listed(store)]).toEqual(["second", ["a 6"]]);
    });

    it("stores content once when its hash is the key", async () => {
      const { store } = await open();
      const keyOf = (sha256: string) => `sha256/${sha256.slice(0, 2)}/${sha256}`;
      const first = await store.put(keyOf, chunks("moss", "green"), MAX);
      const second = await store.put(keyOf, chunks("mossgreen"), MAX);
      expect(second).toEqual(first);
      expect(first.key).toBe(keyOf(createHash("sha256").update("mossgreen").digest("hex")));
      expect(await listed(store)).toEqual([`${first.key} 9`]);
    });

    it("stores content anew if what is under its hash has another size", async () => {
      const { store } = await open();
      const keyOf = (sha256: string) => `sha256/${sha256}`;
      const { key } = await store.put(keyOf, chunks("mossgreen"), MAX);
      await store.put(key, chunks("moss"), MAX);
      await store.put(keyOf, chunks("mossgreen"), MAX);
      expect(await read(store, key)).toBe("mossgreen");
    });

    it.each([
      ["the middle", { start: 2, end: 4 }, "cde"],
      ["the start", { start: 0, end: 1 }, "ab"],
      ["the rest", { start: 7 }, "hij"],
      ["a range that ends after the file", { start: 7, end: 100 }, "hij"],
    ])("returns a range: %s", async (_, range, expected) => {
      const { store } = await open();
      await store.put("letters", chunks("abcdefghij"), MAX);
      expect(await read(store, "letters", { range })).toBe(expected);
    });

    it.each([{ start: 10 }, { start: -1 }, { start: 3, end: 2 }, { start: 0.5 }])(
      "refuses the range %j",
      async (range) => {
        const { store } = await open();
        await store.put("letters", chunks("abcdefghij"), MAX);
        await expect(read(store, "letters", { range })).rejects.toThrow(RangeError);
      },
    );

    it("reports a missing file", async () => {
      const { store } = await open();
      expect(await store.head("nothing")).toBeUndefined();
      await expect(store.get("nothing")).rejects.toThrow(FileNotFoundError);
    });

    it("deletes, also a file that does not exist", async () => {
      const { store } = await open();
      await store.put("a/b", chunks("x"), MAX);
      await store.delete("a/b");
      await store.delete("a/b");
      await store.delete("never/was");
      expect([await store.head("a/b"), await listed(store)]).toEqual([undefined, []]);
    });

    it("lists a folder and its subfolders, but none that merely has the same prefix", async () => {
      const { store } = await open();
      for (const key of ["a/1", "a/b/2", "ab/3", "4"]) await store.put(key, chunks(key), MAX);
      expect(await listed(store, "a")).toEqual(["a/1 3", "a/b/2 5"]);
      expect(await listed(store)).toEqual(["4 1", "a/1 3", "a/b/2 5", "ab/3 4"]);
      expect(await listed(store, "nowhere")).toEqual([]);
    });

    it("refuses a stream that is too large, and leaves the old file unchanged", async () => {
      const { store, incoming } = await open();
      await store.put("a", chunks("before"), { maxBytes: 6 });
      await expect(store.put("a", chunks("seven", "more"), { maxBytes: 8 })).rejects.toThrow(FileTooLargeError);
      expect([await read(store, "a"), await incoming()]).toEqual(["before", []]);
    });

    it("stores nothing of a stream that fails", async () => {
      const { store, incoming } = await open();
      await store.put("a", chunks("before"), MAX);
      await expect(store.put("a", broken(), MAX)).rejects.toThrow("the sender disconnected");
      await expect(store.put("b", broken(), MAX)).rejects.toThrow("the sender disconnected");
      expect([await read(store, "a"), await listed(store), await incoming()]).toEqual(["before", ["a 6"], []]);
    });

    it("stores nothing when the caller aborts", async () => {
      const { store, incoming } = await open();
      const caller = new AbortController();
      async function* slowly() {
        yield Buffer.from("half of");
        caller.abort(new Error("aborted"));
        yield Buffer.from("the rest");
      }
      await expect(store.put("a", slowly(), { ...MAX, signal: caller.signal })).rejects.toThrow("aborted");
      expect([await listed(store), await incoming()]).toEqual([[], []]);
    });

    it.each([
      "",
      "/",
      "/etc/passwd",
      "../up",
      "a/../../up",
      "a/./b",
      "a//b",
      "a/",
      ".hidden",
      "A",
      "a\\b",
      "a\0b",
      "ü",
      "a b",
      "%2e%2e",
      `${"a/".repeat(300)}a`,
    ])("refuses the key %j", async (key) => {
      const { store, incoming } = await open();
      await expect(store.put(key, chunks("x"), MAX)).rejects.toThrow(TypeError);
      await expect(store.put(() => key, chunks("x"), MAX)).rejects.toThrow(TypeError);
      await expect(store.get(key)).rejects.toThrow(TypeError);
      await expect(store.head(key)).rejects.toThrow(TypeError);
      await expect(store.delete(key)).rejects.toThrow(TypeError);
      await expect(listed(store, key)).rejects.toThrow(TypeError);
      expect([await listed(store), await incoming()]).toEqual([[], []]);
    });
  });
}
