import { systemClock, TestClock } from "@terrarium/clock";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, it, onTestFinished, vi } from "vitest";
import { createLog } from "../log.ts";
import { createHttpServer } from "./http-server.ts";
import { PrerenderedPages } from "./prerendered-pages.ts";
import { serveWebApp } from "./static-files.ts";

const program = `
import { parentPort, workerData } from "node:worker_threads";
const { settings, template } = workerData;
for (const path of ["/", "/signin"]) parentPort.postMessage({ path, html: template.replace("page", settings.name + " at " + path) });
`;

/** A built web app whose pages are made by a program. */
async function aWebApp(code = program) {
  const root = await mkdtemp(join(tmpdir(), "terrarium-prerendered-"));
  onTestFinished(() => rm(root, { recursive: true }));
  await mkdir(join(root, ".prerender"));
  await writeFile(join(root, ".prerender/prerender.mjs"), code);
  await writeFile(join(root, "index.html"), "the page");
  const log = createLog("silent", "test");
  const app = await createHttpServer({ clock: systemClock, log, trustedProxies: [] });
  onTestFinished(() => app.close());
  const warned = vi.spyOn(log, "warn");
  const clock = new TestClock();
  const settings = { name: "Fern" };
  const changing = async () => settings.name;
  const prerendered = new PrerenderedPages({ root, settings: async () => settings, changing, clock, log });
  onTestFinished(() => prerendered.stop());
  await serveWebApp(app, root, prerendered);
  await prerendered.start();
  return { root, warned, clock, settings, get: (url: string, headers = {}) => app.inject({ url, headers }) };
}
const untilMade = (app: Awaited<ReturnType<typeof aWebApp>>) =>
  vi.waitFor(async () => expect((await app.get("/signin")).body).toBe("the Fern at /signin"), 10_000);

it("serves pages with their content, made with the settings, and any other page as before", async () => {
  const app = await aWebApp();
  await untilMade(app);
  expect((await app.get("/?utm_source=x")).body).toBe("the Fern at /");
  expect((await app.get("/signin/")).body).toBe("the Fern at /signin");
  expect((await app.get("/launchpad")).body).toBe("the page");
  expect((await app.get("/index.html")).body).toBe("the page");
});

it.each([
  ["gzip, deflate, br", "br", brotliDecompressSync],
  ["gzip;q=1.0, br;q=0", "gzip", gunzipSync],
  ["brotli", undefined, (bytes: Buffer) => bytes],
  ["", undefined, (bytes: Buffer) => bytes],
])("sends them as the browser takes them: %s", async (accepted, encoding, unpack) => {
  const app = await aWebApp();
  await untilMade(app);
  const reply = await app.get("/signin", { "accept-encoding": accepted });
  expect(reply.headers).toMatchObject({ "cache-control": "no-cache", vary: "accept-encoding" });
  expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(reply.headers["content-encoding"]).toBe(encoding);
  expect(unpack(reply.rawPayload).toString()).toBe("the Fern at /signin");
});

it("has what the first paint waits for in the page, and allows exactly that script", async () => {
  const app = await aWebApp();
  const head = `<script src="/before-app.js"></script><link rel="stylesheet" crossorigin href="/assets/index-1.css">`;
  await mkdir(join(app.root, "assets"));
  await writeFile(join(app.root, "before-app.js"), "theme()");
  await writeFile(join(app.root, "assets/index-1.css"), "a{}");
  await writeFile(
    join(app.root, "index.html"),
    `${head} the page <script type="module" src="/assets/index-1.js"></script>`,
  );
  await utimes(join(app.root, ".prerender/prerender.mjs"), new Date(), new Date(Date.now() + 5_000));
  const module = `<script type="module" src="/assets/index-1.js"></script>`;
  await vi.waitFor(
    async () =>
      expect((await app.get("/")).body).toBe(`<script>theme()</script><style>a{}</style> the Fern at / ${module}`),
    10_000,
  );
  const scriptsAt = async (path: string) =>
    /script-src ([^;]*)/.exec(String((await app.get(path)).headers["content-security-policy"]))?.[1];
  const hash = createHash("sha256").update("theme()").digest("base64");
  expect(await scriptsAt("/")).toBe(`'self' 'sha256-${hash}'`);
  expect(await scriptsAt("/launchpad")).toBe("'self'");
});

it("makes them again when what they show has changed, half a minute later at most", async () => {
  const app = await aWebApp();
  await untilMade(app);
  app.settings.name = "Moss";
  await app.clock.advance(29_000);
  expect((await app.get("/signin")).body).toBe("the Fern at /signin");
  await app.clock.advance(2_000);
  // The former one until it is made.
  expect((await app.get("/signin")).body).toMatch(/^the (Fern|Moss) at \/signin$/);
  await vi.waitFor(async () => expect((await app.get("/signin")).body).toBe("the Moss at /signin"), 10_000);
});

it("sends nothing to a browser that has the page already", async () => {
  const app = await aWebApp();
  await untilMade(app);
  const { etag } = (await app.get("/")).headers;
  const reply = await app.get("/", { "if-none-match": etag });
  expect([reply.statusCode, reply.body]).toEqual([304, ""]);
  // Another encoding is another file.
  expect((await app.get("/", { "if-none-match": etag, "accept-encoding": "br" })).statusCode).toBe(200);
});

it("makes them anew with a new build, and never serves those of the former one with it", async () => {
  const app = await aWebApp();
  await untilMade(app);
  // As a build does: it empties the folder, and writes what makes the pages last.
  await rm(join(app.root, ".prerender"), { recursive: true });
  await rm(join(app.root, "index.html"));
  expect((await app.get("/")).statusCode).toBe(404);
  await writeFile(join(app.root, "index.html"), "a newer page");
  expect((await app.get("/")).body).toBe("a newer page");
  await mkdir(join(app.root, ".prerender"));
  await writeFile(join(app.root, ".prerender/prerender.mjs"), program);
  await utimes(join(app.root, ".prerender/prerender.mjs"), new Date(), new Date(Date.now() + 5_000));
  await vi.waitFor(async () => expect((await app.get("/")).body).toBe("a newer Fern at /"), 10_000);
});

it("serves the app as before, and says so, when they cannot be made", async () => {
  const app = await aWebApp("throw new Error('broken')");
  await vi.waitFor(() => expect(app.warned).toHaveBeenCalled(), 10_000);
  expect((await app.get("/")).body).toBe("the page");
});
