import { type Content, isJson, type Route } from "@terrarium/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";

/** Sends what a handler gave where the reply is not JSON. */
export function sendReply(request: FastifyRequest, reply: FastifyReply, route: Route, answer: unknown): FastifyReply {
  const kind = route.reply;
  if (!kind || isJson(kind)) throw new Error(`${route.method} ${route.path} replies with JSON`);
  if (kind.kind === "bytes") return sendContent(reply.status(route.status ?? 200), kind.types, answer as Content);
  const location = answer as string;
  // A script in a browser does not see where a redirect leads; it asks to be told.
  void reply.header("vary", "accept");
  return request.headers.accept === "application/json"
    ? reply.send({ location })
    : reply.redirect(location, kind.status);
}

function sendContent(reply: FastifyReply, types: readonly string[], { type, fileName, content }: Content) {
  if (!types.includes(type)) throw new Error(`a reply of ${type}, which its contract does not name`);
  void reply.type(type);
  if (fileName !== undefined) void reply.header("content-disposition", attachment(fileName));
  if (content instanceof Uint8Array) return reply.send(content);
  // When the client has left, or making the next bytes fails, the stream is destroyed, and a reply that had begun is cut off.
  return reply.send(Readable.from(content));
}

/** RFC 6266: the name in ASCII for old clients, and as it is for all others. */
function attachment(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(fileName).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
