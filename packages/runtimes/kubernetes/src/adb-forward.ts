import { type LoopbackPort, openLoopbackPort } from "@terrarium/runtime";
import type { Socket } from "node:net";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { asMessages, openChannels } from "./channels.ts";
import type { Cluster } from "./cluster.ts";
import { ADB_PORT } from "./pod.ts";

const DATA = 0;
/** The first message of a channel says which port it is of. */
const PORT_BYTES = 2;

/** A port of loopback that leads to a Pod's adb. */
export interface AdbForward extends LoopbackPort {
  /** Why the last connection did not get there; empty if it did. */
  complaint(): string;
}

/** Leads to the adb of a Pod through the API, for a gateway that is not in the cluster. */
export async function openAdbForward(
  cluster: Cluster,
  { pod, wantedPort, log }: { pod: string; wantedPort: number | undefined; log: (line: string) => void },
): Promise<AdbForward> {
  let complaint = "";
  const end = new AbortController();
  const carry = async (socket: Socket): Promise<void> => {
    try {
      const query: [string, string][] = [["ports", String(ADB_PORT)]];
      const stream = await openChannels(cluster, { pod, what: "portforward", query }, end.signal);
      const ended = [
        pipeline(socket, asMessages(DATA), stream),
        pipeline(
          stream,
          fromMessages((said) => (complaint = said)),
          socket,
        ),
      ];
      await Promise.all(ended).finally(() => stream.destroy());
    } catch (error) {
      // That adb closed a connection, or its client did, is no complaint.
      if (!socket.destroyed) complaint ||= (error as Error).message;
    } finally {
      socket.destroy();
    }
  };
  const port = await openLoopbackPort({
    wantedPort,
    serve: (socket) => void carry(socket.setNoDelay(true)),
    onError: (error) => log(`the port of a Pod: ${String(error)}`),
  });
  const close = () => {
    end.abort(new Error("it is over"));
    port.close();
  };
  return { ...port, close, complaint: () => complaint.trim() };
}

/** Passes on the data, and reports the errors. */
function fromMessages(hear: (error: string) => void): Transform {
  const begun = new Set<number>();
  return new Transform({
    writableObjectMode: true,
    transform(message: Buffer, _encoding, done) {
      const [channel = DATA] = message;
      const bytes = message.subarray(begun.has(channel) ? 1 : 1 + PORT_BYTES);
      begun.add(channel);
      if (bytes.length === 0) return done();
      hear(channel === DATA ? "" : bytes.toString());
      if (channel !== DATA) return done(new Error(bytes.toString()));
      done(null, bytes);
    },
  });
}
