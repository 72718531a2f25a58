import { socketPath } from "@terrarium/contract";
import type { Server as HttpServer } from "node:http";
import { Server } from "socket.io";

/** Messages from clients are subscriptions: a few names. */
const MAX_MESSAGE_BYTES = 16 * 1024;

/** Whoever has not been admitted by then is cut: a refused client keeps its connection otherwise. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Socket.IO on an HTTP server that others listen on too. Old clients speak Engine.IO 3. */
export const createSocketServer = (http: HttpServer): Server =>
  new Server(http, {
    path: socketPath,
    serveClient: false,
    allowEIO3: true,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Other upgrades on this server are the players', or are refused elsewhere.
    destroyUpgrade: false,
    // A token is presented in the handshake; nothing authenticates by cookie.
    cors: { origin: "*" },
  });
