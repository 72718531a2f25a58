import type { Clock } from "@terrarium/clock";
import { socketPath } from "@terrarium/contract";
import type { IncomingMessage, Server as HttpServer } from "node:http";
import { Server, type Socket } from "socket.io";
import { type WebSocket, WebSocketServer } from "ws";
import { AnonymousConnections } from "./http/anonymous-connections.ts";
import type { ClientAddress } from "./http/client-address.ts";
import type { ConnectionLimits } from "./http/connection-limits.ts";
import { hasOneHost } from "./http/one-host.ts";
import { refuseSlowBody } from "./http/slow-bodies.ts";

/** Clients only send subscriptions, which are short. */
const MAX_MESSAGE_BYTES = 16 * 1024;

/** A client with this much unread is gone, or means harm. After a gap, a manager may get some thousand events at once, of 500 characters each. */
const MAX_UNREAD_CHARS = 4 * 1024 * 1024;

/** How long a client may take to authenticate. One that was rejected may try again within this time. */
const AUTHENTICATION_TIMEOUT_MS = 10_000;

export interface SocketServerDeps {
  clientAddress: ClientAddress;
  limits: ConnectionLimits;
  /** Those whose client has not authenticated yet. */
  anonymous?: AnonymousConnections;
  clock: Clock;
}

type Connection = Socket["conn"];

/**
 * Attaches Socket.IO to an HTTP server that has other listeners too. Engine.IO 3 is enabled for old clients. Connections are
 * limited by network; those whose client has not joined the namespace, which takes a token, also in number and in time.
 */
export function createSocketServer(http: HttpServer, deps: SocketServerDeps): Server {
  const { clientAddress, limits, anonymous = new AnonymousConnections(), clock } = deps;
  const io = new Server(http, {
    path: socketPath,
    serveClient: false,
    allowEIO3: true,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    // The version that engine.io 6.6 would use answers pings without end, even for a client that reads no answers.
    wsEngine: WebSocketServer,
    // Upgrades of other paths are handled elsewhere: proxied to the gateway, or refused.
    destroyUpgrade: false,
    // Requests of this path do not come to Fastify, which refuses several hosts elsewhere.
    allowRequest: (request, decide) => decide(null, hasOneHost(request)),
    // Any origin is safe: the handshake carries a token, and no cookie authenticates anything.
    cors: { origin: "*" },
  });
  // Nor do they come to Fastify's limit for slow bodies.
  io.engine.use((request: IncomingMessage, _response: unknown, next: () => void) => {
    refuseSlowBody(request, MAX_MESSAGE_BYTES, clock);
    next();
  });
  const authenticated = new WeakMap<Connection, AbortController>();

  io.engine.on("connection", (connection: Connection) => {
    const address = clientAddress(connection.request);
    const closed = limits.admit(address);
    if (!closed) return cut(connection);
    cutOffIfUnread(connection);
    const admitted = new AbortController();
    authenticated.set(connection, admitted);
    admitted.signal.addEventListener(
      "abort",
      anonymous.add(address, () => cut(connection)),
    );
    clock.sleep(AUTHENTICATION_TIMEOUT_MS, admitted.signal).then(
      () => cut(connection),
      () => undefined,
    );
    connection.once("close", () => {
      closed();
      admitted.abort();
    });
  });
  io.on("connection", (socket) => {
    authenticated.get(socket.conn)?.abort();
    // A connection without a namespace would be anonymous again, for as long as its client likes.
    socket.on("disconnect", () => socket.conn.close(true));
  });
  return io;
}

/** Engine.IO buffers what a client does not read, for as long as the client answers its pings. */
function cutOffIfUnread(connection: Connection): void {
  let unread = 0;
  connection.on("flush", () => (unread = 0));
  connection.on("packetCreate", ({ data }: { data?: string }) => {
    unread += data?.length ?? 0;
    if (unread > MAX_UNREAD_CHARS) cut(connection);
  });
}

/** Ends a connection at once: a client could hold on to one with a close that it has to answer. */
function cut(connection: Connection): void {
  (connection.transport as { socket?: WebSocket }).socket?.terminate();
  connection.close(true);
}
