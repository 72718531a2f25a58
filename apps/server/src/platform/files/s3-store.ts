import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { AwsClient } from "aws4fetch";
import {
  type ByteRange,
  checkKey,
  checkRange,
  FileNotFoundError,
  type FileKey,
  type FileStore,
  type PutOptions,
  type StoredFile,
} from "./file-store.ts";
import { openSpool, spool } from "./spool.ts";

export interface S3Settings {
  /** The endpoint: `https://s3.eu-west-1.amazonaws.com`, `http://minio:9000`. */
  url: string;
  /** Must exist; addressed in the path, not as a host name. */
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The largest object S3 accepts in one PUT; larger files would need multipart uploads. */
const MAX_BYTES = 5 * 1024 ** 3;

/** The SHA-256 of an empty body, in hex. */
const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/**
 * A file store in a bucket of an S3-compatible service, https://docs.aws.amazon.com/AmazonS3/latest/API/.
 * @param incoming directory where uploads are buffered: S3 needs the length and the hash before the first byte.
 */
export async function openS3Store(settings: S3Settings, incoming: string): Promise<FileStore> {
  await openSpool(incoming);
  return new S3Store(settings, incoming);
}

class S3Store implements FileStore {
  readonly #base: string;
  readonly #signer: AwsClient;
  readonly #incoming: string;

  constructor({ url, bucket, ...credentials }: S3Settings, incoming: string) {
    this.#base = `${url.replace(/\/+$/, "")}/${bucket}`;
    this.#signer = new AwsClient({ ...credentials, service: "s3" });
    this.#incoming = incoming;
  }

  async put(
    key: FileKey,
    content: AsyncIterable<Uint8Array>,
    { maxBytes, signal }: PutOptions,
  ): Promise<StoredFile & { sha256: string }> {
    if (typeof key === "string") checkKey(key);
    const bounds = { maxBytes: Math.min(maxBytes, MAX_BYTES), ...(signal && { signal }) };
    const { path, size, sha256 } = await spool(join(this.#incoming, randomUUID()), content, bounds);
    try {
      const name = checkKey(typeof key === "string" ? key : await key(sha256, size));
      const isKnown = typeof key === "function" && (await this.head(name, signal))?.size === size;
      // The service rejects a body that does not match the hash.
      if (!isKnown) await this.#ask("PUT", `/${name}`, { body: await openAsBlob(path), sha256, signal });
      return { key: name, size, sha256 };
    } finally {
      await rm(path, { force: true });
    }
  }

  async get(key: string, { range, signal }: { range?: ByteRange; signal?: AbortSignal } = {}) {
    if (range) checkRange(range);
    const reply = await this.#ask("GET", `/${checkKey(key)}`, { range, signal, accept: [404, 416] });
    if (reply.status === 404) throw new FileNotFoundError(key);
    if (reply.status === 416) throw new RangeError("The range begins after the end of the file");
    if (range && reply.status !== 206) throw new Error("The file store does not support byte ranges");
    return reply.body ?? nothing();
  }

  async head(key: string, signal?: AbortSignal): Promise<StoredFile | undefined> {
    const reply = await this.#ask("HEAD", `/${checkKey(key)}`, { signal, accept: [404] });
    return reply.ok ? { key, size: Number(reply.headers.get("content-length")) } : undefined;
  }

  async delete(key: string, signal?: AbortSignal): Promise<void> {
    await this.#ask("DELETE", `/${checkKey(key)}`, { signal, accept: [404] });
  }

  async *list(folder?: string, signal?: AbortSignal): AsyncIterable<StoredFile> {
    const prefix = folder === undefined ? "" : `${checkKey(folder)}/`;
    let page: string | undefined;
    do {
      const query = new URLSearchParams({ "list-type": "2", prefix, ...(page && { "continuation-token": page }) });
      const xml = await (await this.#ask("GET", `/?${query}`, { signal })).text();
      for (const [, item = ""] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs))
        yield { key: element(item, "Key") ?? "", size: Number(element(item, "Size")) };
      page = element(xml, "NextContinuationToken");
    } while (page);
  }

  async #ask(
    method: string,
    path: string,
    {
      body,
      sha256 = EMPTY_SHA256,
      range,
      signal,
      accept = [],
    }: {
      body?: Blob;
      sha256?: string;
      range?: ByteRange | undefined;
      signal?: AbortSignal | undefined;
      accept?: number[];
    },
  ): Promise<Response> {
    const headers = {
      "x-amz-content-sha256": sha256,
      ...(range && { range: `bytes=${range.start}-${range.end ?? ""}` }),
    };
    const request = await this.#signer.sign(this.#base + path, { method, headers, ...(body && { body }) });
    const reply = await fetch(request, signal && { signal });
    if (reply.ok || accept.includes(reply.status)) return reply;
    const code = element(await reply.text(), "Code") ?? reply.statusText;
    throw new Error(`The file store answered ${reply.status} ${code} to ${method}`);
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {}

const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The text of the first element of that name. This much XML is enough for keys, sizes and tokens. */
function element(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text?.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => NAMED[entity] ?? "");
}
