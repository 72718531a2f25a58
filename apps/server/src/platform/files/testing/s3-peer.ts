import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import S3rver from "s3rver";
import { onTestFinished } from "vitest";

export const s3Keys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Uint8Array, text: string) => createHmac("sha256", key).update(text).digest();

/** Checks what a real service does and s3rver does not: the version 4 signature of the headers, and the hash of the body. */
function isSigned({ method, url = "/", headers }: IncomingMessage, body: Uint8Array): boolean {
  const [, scope = "", names = "", signature] =
    /Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(headers.authorization ?? "") ?? [];
  const hash = String(headers["x-amz-content-sha256"]);
  const { pathname, searchParams } = new URL(url, "http://s3");
  const query = [...searchParams]
    .map((pair) => pair.map(encodeURIComponent).join("="))
    .sort()
    .join("&");
  const signed = names.split(";").map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = [method, pathname, query, signed.join(""), names, hash].join("\n");
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(canonical)].join("\n");
  const key = scope.split("/").reduce<string | Uint8Array>(hmac, `AWS4${s3Keys.secretAccessKey}`);
  return hmac(key, text).toString("hex") === signature && hash === sha256(body);
}

async function forward(request: IncomingMessage, reply: ServerResponse, port: number): Promise<void> {
  const body = await buffer(request);
  if (!isSigned(request, body)) {
    reply.writeHead(403).end("<Error><Code>SignatureDoesNotMatch</Code></Error>");
    return;
  }
  const { method = "GET", url = "/", headers } = request;
  const { host: _, connection: __, "content-length": ___, ...others } = headers as Record<string, string>;
  const content = method === "PUT" ? { body: Uint8Array.from(body) } : {};
  const answer = await fetch(`http://127.0.0.1:${port}${url}`, { method, headers: others, ...content });
  const responseHeaders = [...answer.headers].filter(([name]) => !/^(connection|transfer-encoding)$/.test(name));
  reply.writeHead(answer.status, Object.fromEntries(responseHeaders)).end(Buffer.from(await answer.arrayBuffer()));
}

/** Starts s3rver behind a proxy that rejects requests without a valid signature. Returns its address and a temporary directory. */
export async function startS3(bucket: string): Promise<{ url: string; directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), "terrarium-s3-"));
  const configureBuckets = [{ name: bucket, configs: [] }];
  const peer = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: join(directory, "s3"),
    configureBuckets,
  });
  const { port } = await peer.run();
  const proxy = createServer((request, reply) => {
    forward(request, reply, port).catch((error: unknown) => reply.writeHead(502).end(String(error)));
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await peer.close();
    await rm(directory, { recursive: true, force: true });
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, directory };
}
