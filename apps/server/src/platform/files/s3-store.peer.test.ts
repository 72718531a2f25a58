import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openS3Store, type S3Settings } from "./s3-store.ts";
import { describeFileStore } from "./testing/describe-file-store.ts";
import { s3Keys, startS3 } from "./testing/s3-peer.ts";

async function setUp(changes: Partial<S3Settings> = {}) {
  const { url, directory } = await startS3("terrarium");
  const incoming = join(directory, "incoming");
  const settings = { url, bucket: "terrarium", region: "us-east-1", ...s3Keys, ...changes };
  return { store: await openS3Store(settings, incoming), incoming: () => readdir(incoming) };
}

describeFileStore("an S3-compatible store", setUp);

async function* one(): AsyncIterable<Uint8Array> {
  yield Buffer.from("x");
}

it.each([
  ["a wrong key", { secretAccessKey: "t0ps3cret" }, /403 SignatureDoesNotMatch/],
  ["a bucket that is not there", { bucket: "nowhere" }, /404 NoSuchBucket/],
])("reports %s without the secret", async (_, changes, words) => {
  const { store, incoming } = await setUp(changes);
  const error: unknown = await store.put("a", one(), { maxBytes: 1 }).catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(words);
  expect(String(error)).not.toContain("t0ps3cret");
  expect(await incoming()).toEqual([]);
});

it("lists across pages", async () => {
  const pages: Record<string, string> = {
    "": "<Contents><Key>many/1</Key><Size>1</Size></Contents><NextContinuationToken>a+b/c&amp;d=</NextContinuationToken>",
    "a+b/c&d=":
      "<Contents><Size>2</Size><Key>many/2</Key></Contents>\n<Contents><Key>many/3</Key><Size>3</Size></Contents>",
  };
  // s3rver 3.7 creates its continuation tokens with a cipher API that Node 24 no longer has.
  const server = createServer(({ url = "/" }, reply) => {
    const { searchParams } = new URL(url, "http://s3");
    reply.end(`<ListBucketResult>${pages[searchParams.get("continuation-token") ?? ""]}</ListBucketResult>`);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { store } = await setUp({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const found: string[] = [];
  for await (const { key, size } of store.list("many")) found.push(`${key} ${size}`);
  expect(found).toEqual(["many/1 1", "many/2 2", "many/3 3"]);
});
