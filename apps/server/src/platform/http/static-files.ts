import { basePath } from "@terrarium/contract";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { access } from "node:fs/promises";
import { join } from "node:path";

/** Serves the built web app: files by name, and its one page for every other address a person may open. */
export async function serveWebApp(app: FastifyInstance, root: string): Promise<void> {
  const built = await access(join(root, "index.html")).then(
    () => true,
    () => false,
  );
  if (!built) return app.log.warn({ root }, "the web app is not built; only the API is served");

  await app.register(fastifyStatic, {
    root,
    index: false,
    wildcard: false,
    cacheControl: false,
    // Names carry a hash of their content, but for the page itself.
    setHeaders: (reply, path) =>
      void reply.header(
        "cache-control",
        path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      ),
  });
  app.route({
    method: ["GET", "HEAD"],
    url: "/*",
    handler: (request, reply) => {
      const path = request.url.split("?")[0] ?? "";
      const isPage = !path.startsWith(`${basePath}/`) && !/\.\w+$/.test(path);
      return isPage || path === "/index.html" ? reply.sendFile("index.html") : reply.callNotFound();
    },
  });
}
