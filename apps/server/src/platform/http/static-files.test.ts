import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../log.ts";
import { systemClock } from "@terrarium/clock";
import { createHttpServer } from "./http-server.ts";
import { serveWebApp } from "./static-files.ts";

/** A built web app of a few files, next to a file that must not be served. */
async function aWebApp({ within = "" } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-static-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const root = join(folder, within, "dist");
  await mkdir(join(root, "assets"), { recursive: true });
  await writeFile(join(folder, "secret"), "secret");
  await writeFile(join(root, "index.html"), "the page");
  await writeFile(join(root, "robots.txt"), "robots");
  await writeFile(join(root, "assets", "app-1.js"), "code");
  await writeFile(join(root, "badge.svg"), "badge");
  await writeFile(join(root, "badge.svg.gz"), "packed");
  const app = await createHttpServer({ clock: systemClock, log: createLog("silent", "test"), trustedProxies: [] });
  onTestFinished(() => app.close());
  await serveWebApp(app, root);
  return async (url: string, headers: Record<string, string> = {}) => {
    const reply = await app.inject({ url, headers });
    const { "cache-control": cache, "cross-origin-resource-policy": readers } = reply.headers;
    return { statusCode: reply.statusCode, body: reply.body, cache, readers };
  };
}

it.each(["/", "/index.html", "/sign-in", "/instances/9b2f1f6e-7f4b-4c38-8b0a-0a4c0a6f2a11?a=b.c"])(
  "serves the page at %s, to be revalidated each time",
  async (url) => {
    const get = await aWebApp();
    expect(await get(url)).toEqual({ statusCode: 200, body: "the page", cache: "no-cache", readers: "same-origin" });
  },
);

it("serves files by name, and lets those with a hash be cached for ever", async () => {
  const get = await aWebApp();
  expect(await get("/robots.txt")).toMatchObject({ statusCode: 200, body: "robots", cache: "no-cache" });
  expect(await get("/assets/app-1.js")).toMatchObject({
    body: "code",
    cache: "public, max-age=31536000, immutable",
  });
});

it.each([
  ["badge", {}],
  ["packed", { "accept-encoding": "gzip" }],
])("lets other sites show and keep the badge, as %s", async (body, headers) => {
  const get = await aWebApp();
  const shared = { cache: "public, max-age=86400", readers: "cross-origin" };
  expect(await get("/badge.svg", headers)).toEqual({ statusCode: 200, body, ...shared });
});

it("does not take a parent folder called assets for the one with hashed names", async () => {
  const get = await aWebApp({ within: "assets" });
  expect((await get("/")).cache).toBe("no-cache");
});

it.each([
  "/cloud/v1/nothing",
  "/CLOUD/v1/users",
  "//cloud/v1/users",
  "/assets/app-2.js",
  "/assets/app-1.js.map",
  "/assets/",
  "/assets",
  "/.env",
  "/.git/config",
  "/a/.svn/entries",
  "/index.html%00.js",
  "/assets/..%2f..%2fsecret",
  "/..%2fsecret",
  "/%2e%2e%2fsecret",
  "/..%5csecret",
])("finds nothing at %s", async (url) => {
  const get = await aWebApp();
  expect((await get(url)).statusCode).toBe(404);
});
