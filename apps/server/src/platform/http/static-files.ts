import { basePath } from "@terrarium/contract";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { access } from "node:fs/promises";
import { join, sep } from "node:path";
import { type PrerenderedPages, sendPage } from "./prerendered-pages.ts";

/** File paths as the build produces them: no dot files, no way out of the folder. */
const FILE = /^(?:\/[\w-]+)*\/[\w-]+(?:\.[\w-]+)+$/;

/** Paths of the app's pages are plain words; any other path is a missing file, and so is one of the API that is misspelt. */
const PAGE = new RegExp(`^/(?!/|(?:assets|embed-parts|${basePath.slice(1)})(?:/|$))[\\w/-]*$`, "i");

/** What pages of other sites may load: a badge, which any cache may hold for a day, and what shows a device. None carries personal data. */
const BADGE = "badge.svg";
const SHARED_FILES = [BADGE, "embed.js", "embed-parts"];
const BADGE_MAX_AGE_S = 24 * 60 * 60;

/**
 * Serves the built web app: files by name, and index.html for every path that may be a page. Where a file has a compressed copy
 * next to it (`.br`, `.gz`), browsers that accept it get that. A new build is served at once, without a restart. Some pages are
 * prerendered.
 */
export async function serveWebApp(
  app: FastifyInstance,
  root: string,
  prerendered?: Pick<PrerenderedPages, "find">,
): Promise<void> {
  const built = await access(join(root, "index.html")).then(
    () => true,
    () => false,
  );
  if (!built) return app.log.warn({ root }, "the web app is not built; only the API is served");

  const hashedFolders = ["assets", "embed-parts"].map((name) => join(root, name) + sep);
  await app.register(fastifyStatic, {
    root,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isIn = (name: string) => path.startsWith(join(root, name));
      if (SHARED_FILES.some(isIn)) reply.header("cross-origin-resource-policy", "cross-origin");
      // Names in these folders carry a hash of their content; the page itself does not.
      const hashed = hashedFolders.some((folder) => path.startsWith(folder)) && "public, max-age=31536000, immutable";
      reply.header("cache-control", hashed || (isIn(BADGE) ? `public, max-age=${BADGE_MAX_AGE_S}` : "no-cache"));
    },
  });
  app.route({
    method: ["GET", "HEAD"],
    url: "/*",
    handler: async (request, reply) => {
      const path = request.url.split("?")[0] ?? "";
      if (FILE.test(path)) return reply.sendFile(path);
      if (!PAGE.test(path)) return reply.callNotFound();
      const page = await prerendered?.find(path);
      return page ? sendPage(request, reply, page) : reply.sendFile("index.html");
    },
  });
}
