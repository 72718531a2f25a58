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
  throw new Error("the sender went away");
}

const read = async (store: FileStore, ...args: Parameters<FileStore["get"]>): Promise<string> =>
  (await buffer(await store.get(...args))).toString();

async function listed(store: FileStore, folder?: string): Promise<string[]> {
  const found: StoredFile[] = [];
  for await (const file of store.list(folder)) found.push(file);
  return found.map(({ key, size }) => `${key} ${size}`).sort();
}

/**
 * What every file store must do.
 * @param open gives an empty store, and how to see what lies half received in it
 */
export function describeFileStore(
  name: string,
  open: () => Promise<{ store: FileStore; incoming: () => Promise<string[]> }>,
): void {
  describe(`${name}, as a file store`, () => {
    it("gives back what it was given", async () => {
      const { store, incoming } = await open();
      const content = randomBytes(300_000);
      const sha256 = createHash("sha256").update(content).digest("hex");
      const kept = await store.put("layers/one.bin", chunks(content.subarray(0, 7), content.subarray(7)), MAX);
      expect(kept).toEqual({ key: "layers/one.bin", size: 300_000, sha256 });
      expect((await buffer(await store.get("layers/one.bin"))).equals(content)).toBe(true);
      expect(await store.head("layers/one.bin")).toEqual({ key: "layers/one.bin", size: 300_000 });
      expect(await incoming()).toEqual([]);
    });

    it("keeps an empty file", async () => {
      const { store } = await open();
      expect(await store.put("empty", chunks(), MAX)).toMatchObject({ size: 0 });
      expect([await read(store, "empty"), await store.head("empty")]).toEqual(["", { key: "empty", size: 0 }]);
    });

    it("replaces what had the key", async () => {
      const { store } = await open();
      await store.put("a", chunks("the first content"), MAX);
      await store.put("a", chunks("second"), MAX);
      expect([await read(store, "a"), await listed(store)]).toEqual(["second", ["a 6"]]);
    });

    it("keeps a content once when its hash is its key", async () => {
      const { store } = await open();
      const keyOf = (sha256: string) => `sha256/${sha256.slice(0, 2)}/${sha256}`;
      const first = await store.put(keyOf, chunks("moss", "green"), MAX);
      const second = await store.put(keyOf, chunks("mossgreen"), MAX);
      expect(second).toEqual(first);
      expect(first.key).toBe(keyOf(createHash("sha256").update("mossgreen").digest("hex")));
      expect(await listed(store)).toEqual([`${first.key} 9`]);
    });

    it.each([
      ["some in the middle", { start: 2, end: 4 }, "cde"],
      ["the first", { start: 0, end: 1 }, "ab"],
      ["the rest", { start: 7 }, "hij"],
      ["as many as there are", { start: 7, end: 100 }, "hij"],
    ])("gives a part: %s", async (_, range, expected) => {
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

    it("says that a file is not there", async () => {
      const { store } = await open();
      expect(await store.head("nothing")).toBeUndefined();
      await expect(store.get("nothing")).rejects.toThrow(FileNotFoundError);
    });

    it("deletes, and does not mind when there is nothing", async () => {
      const { store } = await open();
      await store.put("a/b", chunks("x"), MAX);
      await store.delete("a/b");
      await store.delete("a/b");
      await store.delete("never/was");
      expect([await store.head("a/b"), await listed(store)]).toEqual([undefined, []]);
    });

    it("lists a folder with the folders in it, and no other that begins alike", async () => {
      const { store } = await open();
      for (const key of ["a/1", "a/b/2", "ab/3", "4"]) await store.put(key, chunks(key), MAX);
      expect(await listed(store, "a")).toEqual(["a/1 3", "a/b/2 5"]);
      expect(await listed(store)).toEqual(["4 1", "a/1 3", "a/b/2 5", "ab/3 4"]);
      expect(await listed(store, "nowhere")).toEqual([]);
    });

    it("refuses a stream that is too large, and keeps what was there", async () => {
      const { store, incoming } = await open();
      await store.put("a", chunks("before"), { maxBytes: 6 });
      await expect(store.put("a", chunks("seven", "more"), { maxBytes: 8 })).rejects.toThrow(FileTooLargeError);
      expect([await read(store, "a"), await incoming()]).toEqual(["before", []]);
    });

    it("keeps nothing of a stream that breaks", async () => {
      const { store, incoming } = await open();
      await store.put("a", chunks("before"), MAX);
      await expect(store.put("a", broken(), MAX)).rejects.toThrow("the sender went away");
      await expect(store.put("b", broken(), MAX)).rejects.toThrow("the sender went away");
      expect([await read(store, "a"), await listed(store), await incoming()]).toEqual(["before", ["a 6"], []]);
    });

    it("keeps nothing of what its caller gave up", async () => {
      const { store, incoming } = await open();
      const given = new AbortController();
      async function* slowly() {
        yield Buffer.from("half of");
        given.abort(new Error("given up"));
        yield Buffer.from("the rest");
      }
      await expect(store.put("a", slowly(), { ...MAX, signal: given.signal })).rejects.toThrow("given up");
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
