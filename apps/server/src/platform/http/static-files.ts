import { basePath } from "@terrarium/contract";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { access } from "node:fs/promises";
import { join, sep } from "node:path";

/** Names of files as a build gives them; none that begins with a dot, none of another folder. */
const FILE = /^(?:\/[\w-]+)*\/[\w-]+(?:\.[\w-]+)+$/;

/** Addresses of pages are plain words; what else is asked for is a file that is not there. */
const PAGE = /^\/(?!assets(?:\/|$))[\w/-]*$/;

/**
 * Serves the built web app: files by name, and its one page for every other address a person may open. Where a file has a
 * compressed copy beside it (`.br`, `.gz`), browsers that take it get that. A new build is served as soon as it is there.
 */
export async function serveWebApp(app: FastifyInstance, root: string): Promise<void> {
  const built = await access(join(root, "index.html")).then(
    () => true,
    () => false,
  );
  if (!built) return app.log.warn({ root }, "the web app is not built; only the API is served");

  const assets = join(root, "assets") + sep;
  await app.register(fastifyStatic, {
    root,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    // Names carry a hash of their content, but for the page itself.
    setHeaders: (reply, path) =>
      void reply.header("cache-control", path.startsWith(assets) ? "public, max-age=31536000, immutable" : "no-cache"),
  });
  app.route({
    method: ["GET", "HEAD"],
    url: "/*",
    handler: (request, reply) => {
      const path = request.url.split("?")[0] ?? "";
      if (path.startsWith(`${basePath}/`)) return reply.callNotFound();
      if (FILE.test(path)) return reply.sendFile(path);
      return PAGE.test(path) ? reply.sendFile("index.html") : reply.callNotFound();
    },
  });
}
