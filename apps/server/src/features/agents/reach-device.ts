import { type AdbLink, connectAdb, type Duplex } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import { createWebSocketStream, WebSocket } from "ws";
import type { Database } from "../../database/schema.ts";
import { CLIENT_ADDRESS_HEADER } from "../../platform/http/proxy-upgrades.ts";
import { findGatewayOf } from "../instances/gateways.ts";
import { adbPathOf, toolsPathOf } from "../instances/visit-path.ts";

const CONNECT_MS = 10_000;

export interface ReachDeps {
  db: Database;
  clock: Clock;
  /** Passed on to the gateway. */
  address: string;
}

/**
 * A socket to the gateway of a device, which asks for a token as of any other visitor. It does not pass through this process's own port,
 * where all agents would count as one address.
 * @throws AppError SERVICE_UNAVAILABLE if no gateway is there; the signal's reason
 */
async function reach({ db, clock, address }: ReachDeps, path: string, uuid: string, signal: AbortSignal) {
  const gateway = await findGatewayOf(db, clock, uuid, signal);
  if (gateway === undefined) throw new AppError("SERVICE_UNAVAILABLE");
  return new WebSocket(`ws://${gateway}${path}`, {
    headers: { [CLIENT_ADDRESS_HEADER]: address },
    perMessageDeflate: false,
    handshakeTimeout: CONNECT_MS,
  });
}

export const reachTools = (deps: ReachDeps, uuid: string, signal: AbortSignal): Promise<WebSocket> =>
  reach(deps, toolsPathOf(uuid), uuid, signal);

/** Works with the adb of a device. @throws what `reach` does; Error with the gateway's reason if it closes; what `work` does */
export async function reachAdb<Result>(
  deps: ReachDeps,
  { uuid, token }: { uuid: string; token: string },
  work: (link: AdbLink) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const socket = await reach(deps, adbPathOf(uuid), uuid, signal);
  let reason = "it is away";
  socket.on("close", (_code, said) => (reason = said.toString() || reason));
  socket.once("open", () => socket.send(token));
  try {
    const link = await connectAdb(webSocketDuplex(socket), { signal });
    try {
      return await work(link);
    } finally {
      link.close();
    }
  } catch (error) {
    if (signal.aborted || socket.readyState === WebSocket.OPEN) throw error;
    throw new Error(`The connection to the device is lost: ${reason}.`, { cause: error });
  } finally {
    socket.terminate();
  }
}

/** Bytes over a WebSocket as the pipe under an adb connection, which owns it from now on. */
function webSocketDuplex(socket: WebSocket): Duplex {
  const stream = createWebSocketStream(socket);
  return {
    listen(events) {
      let cause: Error | undefined;
      stream.on("data", (chunk: Buffer) => events.data(chunk));
      stream.on("error", (error) => (cause = error));
      stream.on("end", () => stream.destroy());
      stream.on("close", () => events.close(cause));
    },
    write(bytes) {
      if (stream.write(bytes)) return undefined;
      return new Promise((resolve) => stream.once("drain", resolve));
    },
    close: () => void stream.destroy(),
  };
}
