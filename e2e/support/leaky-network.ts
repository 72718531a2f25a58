import { connect, createServer, type Socket } from "node:net";

/** A TCP relay to a server of this machine, which can be cut and mended. */
export async function leakyNetwork(to: string) {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  let isCut = false;
  let carried = 0;
  let refused = 0;
  const server = createServer((near) => {
    if (isCut) {
      refused++;
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => undefined);
      one.on("data", (chunk) => (carried += chunk.length));
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: listens } = server.address() as { port: number };
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    /** Where a URL of the server is, through the relay. */
    through(url: string): string {
      const changed = new URL(url);
      changed.hostname = "127.0.0.1";
      changed.port = String(listens);
      return changed.href;
    },
    /** Bytes that it has carried. */
    carried: () => carried,
    /** Connections that came while it was cut. */
    refused: () => refused,
    cut,
    mend: () => void (isCut = false),
    stop: () =>
      new Promise<void>((resolve) => {
        cut();
        server.close(() => resolve());
      }),
  };
}
