import {
  type CatalogueChange,
  type Channel,
  eventNames,
  type EventOf,
  type InstanceChange,
  type LiveSessionChange,
  socketPath,
} from "@terrarium/contract";
import { io, type Socket } from "socket.io-client";
import { onTestFinished } from "vitest";

type Received = { channel: Channel } & Partial<InstanceChange> & Partial<CatalogueChange> & Partial<LiveSessionChange>;

/** Connects a client that records its events. */
export async function connectSocket(
  port: number,
  { token, api_token }: { token?: string; api_token?: string },
  transports = ["websocket"],
  extraHeaders: { origin?: string; cookie?: string } = {},
) {
  const query = { ...(token && { token }), ...(api_token && { api_token }) };
  const options = {
    path: socketPath,
    query,
    transports,
    extraHeaders,
    reconnection: false,
    forceNew: true,
  };
  const socket: Socket = io(`http://127.0.0.1:${port}`, options);
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  for (const channel of Object.keys(eventNames) as Channel[]) {
    socket.on(eventNames[channel], ({ data }: EventOf<Channel>) => {
      received.push({ channel, ...data });
      for (const wake of waiting.splice(0)) wake();
    });
  }
  onTestFinished(() => void socket.disconnect());
  const refused = await new Promise<string | undefined>((resolve) => {
    socket.on("connect", () => resolve(undefined));
    socket.on("connect_error", (error) => resolve(error.message));
  });
  return {
    socket,
    received,
    refused,
    /** Resolves when there are that many events. */
    async count(count: number) {
      while (received.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      return received;
    },
  };
}
