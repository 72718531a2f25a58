import { connectAdb, joinStreams, nodeSocketDuplex } from "@terrarium/adb";
import type { AdbAddress } from "@terrarium/runtime";
import { connect, createServer, type Socket } from "node:net";
import { SocketStream } from "../socket-stream.ts";

const withLength = (text: string) => text.length.toString(16).padStart(4, "0") + text;

export interface FakeAdbServer {
  address: AdbAddress;
  /** What it answers to a request for features; undefined for nothing. */
  features: string | undefined;
  /** Announces its devices, by their serial numbers. */
  announce(devices: ReadonlyMap<string, AdbAddress>): void;
  stop(): Promise<void>;
}

/** An adb server to which devices are connected by `announce`. Before that it takes connections and answers nothing. */
export async function fakeAdbServer(): Promise<FakeAdbServer> {
  const sockets = new Set<Socket>();
  const following = new Set<SocketStream>();
  let devices: ReadonlyMap<string, AdbAddress> | undefined;
  const list = () => withLength([...(devices?.keys() ?? [])].map((serial) => `${serial}\tdevice\n`).join(""));
  const serve = async (stream: SocketStream): Promise<void> => {
    const ask = async () => (await stream.take(Number.parseInt((await stream.take(4)) ?? "0", 16))) ?? "";
    const say = (text: string) => stream.write(Buffer.from(text));
    const request = await ask();
    if (request === "host:track-devices") {
      following.add(stream);
      if (devices) await say(`OKAY${list()}`);
    } else if (request.endsWith(":features")) {
      if (made.features !== undefined) await say(`OKAY${withLength(made.features)}`);
    } else {
      const { host, port } = devices!.get(request.slice("host:transport:".length))!;
      await say("OKAY");
      const link = await connectAdb(nodeSocketDuplex(connect(port, host)));
      const service = await link.open(await ask());
      await say("OKAY");
      await joinStreams(stream, service);
      link.close();
    }
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    const stream = new SocketStream(socket);
    serve(stream).catch(() => stream.close());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = server.address();
  const made: FakeAdbServer = {
    address: { host: "127.0.0.1", port: typeof at === "object" && at ? at.port : 0 },
    features: "shell_v2,cmd",
    announce(now) {
      const isFirst = devices === undefined;
      devices = now;
      for (const stream of following)
        void stream.write(Buffer.from((isFirst ? "OKAY" : "") + list())).catch(() => undefined);
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return made;
}
