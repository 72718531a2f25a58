import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import type { ContainerRoot } from "./container.ts";

const PROTOCOL = "v4.channel.k8s.io";

export interface KubeletServerOptions {
  /** By `namespace/name`. */
  find: (pod: string) => ContainerRoot | undefined;
  tls?: { key: string; cert: string } | undefined;
}

/** What a kubelet serves to the API: programs in containers, connections to them, and what they have printed. Returns its port. */
export async function startKubeletServer({ find, tls }: KubeletServerOptions) {
  const asked = (request: IncomingMessage) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://kubelet");
    const [what = "", namespace = "", name = ""] = pathname.split("/").filter(Boolean);
    return { what, root: find(`${namespace}/${name}`), searchParams };
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { what, root, searchParams } = asked(request);
    if (what !== "containerLogs" || !root) {
      response.writeHead(404).end();
      return;
    }
    const lines = root.said
      .trim()
      .split("\n")
      .slice(-Number(searchParams.get("tailLines") ?? 0));
    response.end(lines.join("\n"));
  };
  const server = tls ? createTlsServer(tls, answer) : createPlainServer(answer);
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => PROTOCOL });
  server.on("upgrade", (request, socket, head) => {
    const { what, root, searchParams } = asked(request);
    if (!root || request.headers["sec-websocket-protocol"] !== PROTOCOL) {
      socket.destroy();
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.on("error", () => undefined);
      if (what === "exec") void serveExec(opened, root, searchParams.getAll("command"));
      else void servePort(opened, root, searchParams.get("port") ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const message = (channel: number, bytes: Buffer | string) =>
  Buffer.concat([Buffer.from([channel]), Buffer.from(bytes)]);

async function serveExec(socket: WebSocket, root: ContainerRoot, command: readonly string[]): Promise<void> {
  const early: Buffer[] = [];
  let feed = (bytes: Buffer) => void early.push(bytes);
  socket.on("message", (data: Buffer) => feed(data.subarray(1)));
  const child = await root.exec(command);
  const { stdin, stdout, stderr } = child;
  feed = (bytes) => {
    if (!stdin!.write(bytes)) {
      socket.pause();
      stdin!.once("drain", () => socket.resume());
    }
  };
  stdin!.on("error", () => undefined);
  for (const bytes of early) feed(bytes);
  for (const [channel, stream] of [
    [1, stdout],
    [2, stderr],
  ] as const)
    stream!.on("data", (bytes: Buffer) => {
      stream!.pause();
      socket.send(message(channel, bytes), () => stream!.resume());
    });
  // It hears of the end of its input, as with a kubelet, and may clean up.
  socket.on("close", () => stdin!.end());
  child.on("close", (code) => {
    const failed = { status: "Failure", message: `command terminated with non-zero exit code: exit status ${code}` };
    socket.send(message(3, JSON.stringify(code === 0 ? { status: "Success" } : failed)), () => socket.close());
  });
}

async function servePort(socket: WebSocket, root: ContainerRoot, port: string): Promise<void> {
  const early: Buffer[] = [];
  let feed = (bytes: Buffer) => void early.push(bytes);
  socket.on("message", (data: Buffer) => feed(data.subarray(1)));
  const number = Buffer.alloc(2);
  number.writeUInt16LE(Number(port));
  for (const channel of [0, 1]) socket.send(message(channel, number));
  // Not in its processes' world: what stands still there does not hold up a connection.
  const child = await root.exec(["nc", "127.0.0.1", port], { isOutside: true });
  feed = (bytes) => void child.stdin!.write(bytes);
  child.stdin!.on("error", () => undefined);
  for (const bytes of early) feed(bytes);
  child.stdout!.on("data", (bytes: Buffer) => socket.send(message(0, bytes)));
  child.stderr!.on("data", (bytes: Buffer) => socket.send(message(1, bytes)));
  child.on("close", () => socket.close());
  socket.on("close", () => child.kill("SIGKILL"));
}
