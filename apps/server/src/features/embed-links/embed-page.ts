import { AppError } from "@terrarium/contract";
import type { FastifyInstance } from "fastify";
import { escapeHtml } from "../../platform/escape-html.ts";
import { type EmbedLinkDeps, findEmbedded } from "./embed-links.ts";

/** The base64url of 256 bits. */
const KEY = /^[\w-]{43}$/;

/**
 * Serves `/embed/{key}`, for frames in the pages of our own and of the origins that the device's organization lists: nothing but the
 * device's picture, which fills the frame. For a link that does not work it is a sentence, which may be shown anywhere.
 */
export function serveEmbedPage(app: FastifyInstance, deps: EmbedLinkDeps): void {
  app.get("/embed/:key", async (request, reply) => {
    const { key = "" } = request.params as { key?: string };
    const found = KEY.test(key) ? await findEmbedded(deps, key, request.clientAddress).catch(notFound) : undefined;
    const ancestors = found ? ["'self'", ...found.origins].join(" ") : "*";
    const policy = String(reply.getHeader("content-security-policy"));
    return reply
      .code(found ? 200 : 404)
      .removeHeader("x-frame-options")
      .headers({
        "content-security-policy": policy.replace("frame-ancestors 'none'", `frame-ancestors ${ancestors}`),
        // Where the page around it asks for that, what it shows must agree.
        "cross-origin-resource-policy": "cross-origin",
        "cache-control": "no-store",
      })
      .type("text/html; charset=utf-8")
      .send(found ? pageOf(key) : overPage);
  });
}

function notFound(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== "EMBED_LINK_NOT_FOUND") throw error;
}

const html = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>html, body { height: 100%; margin: 0 } body { display: grid; place-items: center; font: 14px/20px system-ui, sans-serif;
  color: light-dark(#13201A, #E7EEEA); color-scheme: light dark } terrarium-device { width: 100%; height: 100% }</style></head>
<body>${body}</body>
</html>
`;

const pageOf = (key: string) =>
  html(
    "Device",
    `<terrarium-device link="/embed/${escapeHtml(key)}"></terrarium-device><script type="module" src="/embed.js"></script>`,
  );

const overPage = html("Link not valid", "<p>This link is not valid any more.</p>");
