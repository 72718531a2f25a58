import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/**
 * A forward proxy on loopback that makes tunnels (CONNECT) and nothing else. Names that end with `.test` lead to this machine, so that only
 * what goes through it reaches them.
 * @param credentials without which it refuses: `name:password`
 */
export async function startForwardProxy({ credentials }: { credentials?: string } = {}) {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  server.on("connect", ({ url = "", headers }, socket: Socket, head: Buffer) => {
    const expected = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;
    if (expected && headers["proxy-authorization"] !== expected) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    tunnels.push(url);
    const { hostname, port } = new URL(`tunnel://${url}`);
    const target = connect(Number(port), hostname.endsWith(".test") ? "127.0.0.1" : hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    sockets.add(target);
    target.on("error", () => socket.destroy()).on("close", () => sockets.delete(target));
    socket.on("close", () => target.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    /** Host and port. */
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What it was asked to connect to, as `host:port`. */
    tunnels,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
