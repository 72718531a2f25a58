import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../log.ts";
import { createHttpServer } from "./http-server.ts";
import { serveWebApp } from "./static-files.ts";

const PAGE = "<!doctype html><title>Terrarium</title>";
const SCRIPT = "console.log(1);".repeat(200);

async function serve() {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-static-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const write = async (name: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  };
  await write("secret.txt", "secret");
  await write("dist/.env", "secret");
  await write("dist/index.html", PAGE);
  await write("dist/assets/app-1a2b.js", SCRIPT);
  await write("dist/assets/app-1a2b.js.br", brotliCompressSync(SCRIPT));
  await write("dist/assets/app-1a2b.js.gz", gzipSync(SCRIPT));
  const app = await createHttpServer({ log: createLog("silent", "test"), trustedProxies: [] });
  onTestFinished(() => app.close());
  await serveWebApp(app, join(folder, "dist"));
  const get = (url: string, encodings?: string) =>
    app.inject({ method: "GET", url, headers: encodings ? { "accept-encoding": encodings } : {} });
  return { get, write };
}

describe("serveWebApp", () => {
  it.each(["/", "/index.html", "/launchpad", "/instance/abc/stop", "/signin?redirect=/launchpad"])(
    "gives the page for %s, to be asked for again each time",
    async (url) => {
      const { get } = await serve();
      const { statusCode, body, headers } = await get(url);
      expect([statusCode, body, headers["cache-control"]]).toEqual([200, PAGE, "no-cache"]);
    },
  );

  it.each([
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    [undefined, undefined],
  ])("sends who takes %s the copy in %s", async (takes, encoding) => {
    const { get } = await serve();
    const { statusCode, headers } = await get("/assets/app-1a2b.js", takes);
    expect([statusCode, headers["content-encoding"], headers["cache-control"]]).toEqual([
      200,
      encoding,
      "public, max-age=31536000, immutable",
    ]);
    expect(headers["content-type"]).toContain("javascript");
    expect(Number(headers["content-length"]) < 500).toBe(encoding !== undefined);
  });

  it("serves what is built while it runs", async () => {
    const { get, write } = await serve();
    await write("dist/assets/new-3c4d.js", "new");
    expect((await get("/assets/new-3c4d.js")).body).toBe("new");
  });

  it.each([
    "/assets/gone.js",
    "/.env",
    "/assets/../../secret.txt",
    "/assets/%2e%2e/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e%5csecret.txt",
    "/assets/app-1a2b.js%00.txt",
    "/cloud/v9/nothing",
  ])("gives nothing for %s", async (url) => {
    const { get } = await serve();
    const { statusCode, body } = await get(url);
    expect([statusCode, JSON.parse(body).code]).toEqual([404, "ROUTE_NOT_FOUND"]);
  });
});
