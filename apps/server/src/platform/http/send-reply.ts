import { type BytesReply, type Content, isJson, type Route } from "@terrarium/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";

/** Sends a handler's result for routes whose reply is not JSON: bytes or a redirect. */
export function sendReply(request: FastifyRequest, reply: FastifyReply, route: Route, answer: unknown): FastifyReply {
  const kind = route.reply;
  if (!kind || isJson(kind)) throw new Error(`${route.method} ${route.path} replies with JSON`);
  if (kind.kind === "bytes") return sendContent(reply.status(route.status ?? 200), kind, answer as Content);
  const location = answer as string;
  // A script in a browser cannot see the target of a redirect, so it asks for it as JSON.
  void reply.header("vary", "accept");
  return request.headers.accept === "application/json"
    ? reply.send({ location })
    : reply.redirect(location, kind.status);
}

function sendContent(reply: FastifyReply, kind: BytesReply, { type, fileName, headers = {}, content }: Content) {
  if (!kind.types.includes(type)) throw new Error(`The reply has type ${type}, which the contract does not name`);
  const names = Object.keys(headers);
  const unnamed = names.find((name) => !(name in (kind.headers ?? {})));
  if (unnamed) throw new Error(`The reply has the header ${unnamed}, which the contract does not name`);
  const exposed = "access-control-expose-headers";
  // Pages of other origins may read them.
  if (names.length > 0)
    void reply.headers({ ...headers, [exposed]: [reply.getHeader(exposed) ?? [], names].flat().join(", ") });
  void reply.type(type);
  if (fileName !== undefined) void reply.header("content-disposition", attachment(fileName));
  if (content instanceof Uint8Array) return reply.send(content);
  // The stream is destroyed when the client disconnects or the source fails; a reply that has begun is then cut off.
  return reply.send(Readable.from(content));
}

/** RFC 6266: `filename` is an ASCII fallback for old clients, `filename*` the name itself. */
function attachment(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(fileName).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
