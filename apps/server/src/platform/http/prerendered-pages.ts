import type { Clock } from "@terrarium/clock";
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import zlib from "node:zlib";
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { compileCache } from "../compile-cache.ts";

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
/** Much smaller than the quality that is meant for pages made on the fly, and still some milliseconds. */
const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 } };

/** A page as it is sent: its bytes for each encoding, and a name for exactly this content. */
interface Page {
  bytes: Readonly<Record<"br" | "gzip" | "identity", Buffer>>;
  tag: string;
  /** Its inline scripts, as the security policy names them. */
  scripts: string;
}

/** How long pages may show outdated settings. */
const LOOK_MS = 30_000;

interface Options {
  /** The built web app; `.prerender/prerender.mjs` in it makes the pages. */
  root: string;
  /** What the pages are made with. */
  settings: () => Promise<unknown>;
  /** What of them changes while the service runs, for pages to be made again. */
  changing: () => Promise<unknown>;
  clock: Pick<Clock, "monotonic">;
  log: FastifyBaseLogger;
}

/**
 * The pages before sign-in as HTML with their content, so that they can be read before any script has arrived. They are made at the start,
 * in a worker that ends then, and again when the web app was rebuilt, or what they show has changed. Until they are there, or if they
 * cannot be made, `find` has nothing, and the app renders them in the browser.
 */
export class PrerenderedPages {
  readonly #options: Options;
  #isStarted = false;
  /** When the build was written that the pages are of. */
  #builtAt: number | undefined;
  #lookedAt = 0;
  /** What they show of what changes. */
  #shown = "";
  #pages = new Map<string, Page>();
  #worker: Worker | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The page at a path, with or without a slash at its end. */
  async find(path: string): Promise<Page | undefined> {
    const builtAt = this.#isStarted ? await this.#readBuiltAt() : undefined;
    if (builtAt === undefined) return undefined;
    if (this.#builtAt !== builtAt) this.#make(builtAt, new Map());
    else if (this.#options.clock.monotonic() - this.#lookedAt > LOOK_MS) await this.#look(builtAt);
    return this.#pages.get(path.replace(/(?<=.)\/$/, ""));
  }

  /** Begins to make the pages, once the settings are known. */
  async start(): Promise<void> {
    this.#isStarted = true;
    await this.find("/");
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
  }

  /** Undefined while the web app is being built: what makes the pages is written last. */
  async #readBuiltAt(): Promise<number | undefined> {
    return (await stat(programIn(this.#options.root)).catch(() => undefined))?.mtimeMs;
  }

  /** Has pages made again if what they show has changed; they are there until then. */
  async #look(builtAt: number): Promise<void> {
    this.#lookedAt = this.#options.clock.monotonic();
    const changing = await this.#options.changing().then(JSON.stringify, () => this.#shown);
    if (changing !== this.#shown) this.#make(builtAt, this.#pages);
  }

  /** `pages`: into which. Those of another build name files that may be gone. */
  #make(builtAt: number, pages: Map<string, Page>): void {
    this.#builtAt = builtAt;
    this.#pages = pages;
    this.#render((path, html) => void pack(html).then((page) => pages.set(path, page))).catch((error: unknown) =>
      this.#options.log.warn({ err: error }, "the pages before sign-in could not be prerendered"),
    );
  }

  async #render(onPage: (path: string, html: string) => void): Promise<void> {
    const { root, settings, changing, clock } = this.#options;
    this.#lookedAt = clock.monotonic();
    this.#shown = JSON.stringify(await changing());
    const workerData = { settings: await settings(), template: await withPartsInline(root) };
    await this.stop();
    const worker = new Worker(programIn(root), { workerData, env: compileCache });
    this.#worker = worker;
    await new Promise<void>((resolve, reject) => {
      worker.on("message", ({ path, html }: { path: string; html: string }) => onPage(path, html));
      worker.on("error", reject);
      worker.on("exit", () => resolve());
    });
  }
}

const programIn = (root: string) => join(root, ".prerender/prerender.mjs");

const BLOCKING =
  /<script src="\/(?<script>[\w./-]+)"><\/script>|<link rel="stylesheet"[^>]* href="\/(?<style>[\w./-]+)"[^>]*>/g;

/** The built index.html with its style sheet and the script that it waits for, both small: so the first paint needs no other file. */
async function withPartsInline(root: string): Promise<string> {
  const html = await readFile(join(root, "index.html"), "utf8");
  const parts = new Map<string, string>();
  for (const [tag, script, style] of html.matchAll(BLOCKING)) {
    const content = await readFile(join(root, script ?? style ?? ""), "utf8");
    parts.set(tag, script ? `<script>${content}</script>` : `<style>${content}</style>`);
  }
  return html.replace(BLOCKING, (tag) => parts.get(tag) ?? tag);
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64");

async function pack(html: string): Promise<Page> {
  const identity = Buffer.from(html);
  const [br, gzipped] = await Promise.all([brotli(identity, quality), gzip(identity)]);
  return {
    bytes: { br, gzip: gzipped, identity },
    tag: hashOf(html),
    scripts: [...html.matchAll(/<script>(.*?)<\/script>/gs)]
      .map(([, code = ""]) => ` 'sha256-${hashOf(code)}'`)
      .join(""),
  };
}

/** Sends a page in the best encoding that the client takes. It is revalidated each time, as it names the files of this build. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, { bytes, tag, scripts }: Page): FastifyReply {
  const accepted = request.headers["accept-encoding"] ?? "";
  const takes = (name: string) =>
    new RegExp(`(?:^|[\\s,])${name}(?!\\s*;\\s*q=0(?:\\.0*)?(?:\\s*,|$))(?=[\\s;,]|$)`).test(accepted);
  const encoding = (["br", "gzip"] as const).find(takes) ?? "identity";
  const policy = String(reply.getHeader("content-security-policy")).replace(
    "script-src 'self'",
    (self) => self + scripts,
  );
  const etag = `"${tag}-${encoding}"`;
  reply.headers({ "cache-control": "no-cache", vary: "accept-encoding", etag, "content-security-policy": policy });
  if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply.type("text/html; charset=utf-8").send(bytes[encoding]);
}
