import type { Clock } from "@terrarium/clock";
import { socketPath } from "@terrarium/contract";
import type { Server as HttpServer } from "node:http";
import { Server, type Socket } from "socket.io";
import type { WebSocket } from "ws";
import { AnonymousConnections } from "./http/anonymous-connections.ts";
import type { ClientAddress } from "./http/client-address.ts";
import type { ConnectionLimits } from "./http/connection-limits.ts";
import { hasOneHost } from "./http/one-host.ts";

/** Clients only send subscriptions, which are short. */
const MAX_MESSAGE_BYTES = 16 * 1024;

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
    // Upgrades of other paths are handled elsewhere: proxied to the gateway, or refused.
    destroyUpgrade: false,
    // Requests of this path do not come to Fastify, which refuses several hosts elsewhere.
    allowRequest: (request, decide) => decide(null, hasOneHost(request)),
    // Any origin is safe: the handshake carries a token, and no cookie authenticates anything.
    cors: { origin: "*" },
  });
  const authenticated = new WeakMap<Connection, AbortController>();

  io.engine.on("connection", (connection: Connection) => {
    const address = clientAddress(connection.request);
    const closed = limits.admit(address);
    if (!closed) return cut(connection);
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

/** Ends a connection at once: with a close that it has to answer, a client could keep it. */
function cut(connection: Connection): void {
  (connection.transport as { socket?: WebSocket }).socket?.terminate();
  connection.close(true);
}
