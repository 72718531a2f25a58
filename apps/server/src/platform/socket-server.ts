import { socketPath } from "@terrarium/contract";
import type { Server as HttpServer } from "node:http";
import { Server } from "socket.io";
import { hasOneHost } from "./http/one-host.ts";

/** Clients only send subscriptions, which are short. */
const MAX_MESSAGE_BYTES = 16 * 1024;

/** Clients that are not admitted by then are disconnected; a rejected client would keep its connection otherwise. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Attaches Socket.IO to an HTTP server that has other listeners too. Engine.IO 3 is enabled for old clients. */
export const createSocketServer = (http: HttpServer): Server =>
  new Server(http, {
    path: socketPath,
    serveClient: false,
    allowEIO3: true,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Upgrades of other paths are handled elsewhere: proxied to the gateway, or refused.
    destroyUpgrade: false,
    // Requests of this path do not come to Fastify, which refuses several hosts elsewhere.
    allowRequest: (request, decide) => decide(null, hasOneHost(request)),
    // Any origin is safe: the handshake carries a token, and no cookie authenticates anything.
    cors: { origin: "*" },
  });
