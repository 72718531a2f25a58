import { createWebSocketStream, WebSocket } from "ws";
import { type Duplex, Transform } from "node:stream";
import type { Cluster } from "./cluster.ts";

/** Each message begins with the number of its channel. Every kubelet speaks it; the next version needs a translation on the way. */
const PROTOCOL = "v4.channel.k8s.io";

/**
 * Opens what a Pod offers besides itself, `exec` or `portforward`: messages over a WebSocket through the API, to the kubelet of its node.
 * What is read are whole messages, and each write is one.
 */
export async function openChannels(
  { config, namespace }: Cluster,
  { pod, what, query }: { pod: string; what: "exec" | "portforward"; query: readonly [string, string][] },
  signal: AbortSignal,
): Promise<Duplex> {
  signal.throwIfAborted();
  const options = {};
  await config.applyToHTTPSOptions(options);
  const { server = "" } = config.getCurrentCluster() ?? {};
  const words = new URLSearchParams(query.map((pair) => [...pair])).toString();
  const url = `${server}/api/v1/namespaces/${namespace}/pods/${pod}/${what}?${words}`;
  const socket = new WebSocket(url.replace(/^http/, "ws"), [PROTOCOL], options);
  // From the beginning on: what the other side says first may come with its consent.
  const stream = createWebSocketStream(socket, { readableObjectMode: true });
  // Whoever reads or writes gets the error; one that breaks while nobody does is simply over.
  stream.on("error", () => undefined);
  const end = () => socket.terminate();
  signal.addEventListener("abort", end, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
      socket.once("unexpected-response", (_, { statusCode }) => {
        reject(new Error(`the cluster answers ${what} with ${statusCode}`));
        socket.terminate();
      });
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
  }
  return stream;
}

/** Makes bytes messages of a channel. */
export const asMessages = (channel: number): Transform =>
  new Transform({
    // They stay separate even while they wait.
    readableObjectMode: true,
    transform: (bytes: Buffer, _encoding, done) => done(null, Buffer.concat([Buffer.from([channel]), bytes])),
  });
