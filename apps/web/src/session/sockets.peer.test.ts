import { once } from "node:events";
import { createServer, request, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type InstanceChange, socketPath } from "@terrarium/contract";
import { Server } from "socket.io";
import { io, type Socket } from "socket.io-client";
import { expect, it, onTestFinished } from "vitest";
import { RealtimeLink } from "./sockets.ts";

async function listenOn(server: HttpServer): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A service with sockets, and a proxy before it that passes on everything but upgrades. */
async function startBehindProxy(onUpgrade: (socket: Duplex) => void) {
  const service = createServer();
  const sockets = new Server(service, { path: socketPath });
  const servicePort = await listenOn(service);
  onTestFinished(() => sockets.close());

  const proxy = createServer((call, reply) => {
    const { method, url, headers } = call;
    const passed = request({ port: servicePort, host: "127.0.0.1", method, path: url, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    passed.on("error", () => reply.destroy());
    call.pipe(passed);
  });
  let upgrades = 0;
  const held = new Set<Duplex>();
  proxy.on("upgrade", (_call, socket) => {
    upgrades++;
    held.add(socket.on("error", () => undefined));
    onUpgrade(socket);
  });
  const port = await listenOn(proxy);
  onTestFinished(() => held.forEach((socket) => socket.destroy()));
  return { sockets, port, upgrades: () => upgrades };
}

const change = {
  uuid: "3f2b8f0e-8a55-4c39-9d6e-0d7a1c1f2b3a",
  owner_uuid: "3f2b8f0e-8a55-4c39-9d6e-0d7a1c1f2b3b",
  name: "one",
  state: "ONLINE",
  revision: 4,
  reason: null,
  created_at: "2026-03-05T14:00:00.000Z",
  updated_at: "2026-03-05T14:00:00.000Z",
  online_at: null,
  stops_at: null,
  stops_because: null,
  queue: null,
  can_save: false,
  save: null,
} satisfies InstanceChange;

it.each<[string, (socket: Duplex) => void]>([
  ["refuses upgrades", (socket) => socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")],
  ["cuts upgrades", (socket) => socket.destroy()],
  ["swallows upgrades", () => undefined],
])("the link falls back to polling behind a proxy that %s, and hears events", async (_, onUpgrade) => {
  const { sockets, port, upgrades } = await startBehindProxy(onUpgrade);
  sockets.on("connection", (socket) => socket.emit("instances", { data: change }));
  const heard = Promise.withResolvers<string>();
  let socket: Socket | undefined;
  const link = new RealtimeLink({
    // The waits of the library are its own; shorter ones tell the same story.
    connect: (options) =>
      (socket = io(`http://127.0.0.1:${port}`, { ...options, timeout: 300, reconnectionDelay: 10, forceNew: true })),
    token: () => "t",
    onEvent: (channel, data) => heard.resolve(`${channel} ${"state" in data ? data.state : ""}`),
    onEnded: async () => undefined,
    onLive: () => undefined,
  });
  onTestFinished(() => link.stop());
  link.start();
  expect(await heard.promise).toBe("instances ONLINE");
  expect([link.status, socket?.io.engine.transport.name]).toEqual(["live", "polling"]);
  // The websocket was tried first.
  expect(upgrades()).toBeGreaterThan(0);
});
