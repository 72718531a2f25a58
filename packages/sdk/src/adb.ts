import {
  Adb,
  type AdbCredentialStore,
  AdbDaemonTransport,
  type AdbDaemonConnection,
  AdbPacket,
  AdbPacketSerializeStream,
} from "@yume-chan/adb";
import { type Consumable, ReadableStream, StructDeserializeStream, WritableStream } from "@yume-chan/stream-extra";
import type { Client } from "./client.ts";

export interface AdbOptions {
  /** Aborts the connection, also once it is there. */
  signal?: AbortSignal;
  /** For devices that ask who comes. Those of a service mostly trust its tunnel. */
  credentialStore?: AdbCredentialStore;
}

const noKeys: AdbCredentialStore = {
  iterateKeys: () => [],
  generateKey: () => Promise.reject(new Error("The device asks for a key: give a credentialStore.")),
};

/**
 * The adb of a device that is ONLINE, through the service's tunnel: no adb on this machine, so it works in browsers too. Needs the packages
 * `@yume-chan/adb` and `@yume-chan/stream-extra`. A network that is lost ends it (`disconnected`); open another then.
 * @throws AppError if the service gives no access; Error with the service's reason if the tunnel closes before the device has answered; the
 * signal's reason
 */
export async function openAdb(client: Client, uuid: string, options: AdbOptions = {}): Promise<Adb> {
  const { signal, credentialStore = noKeys } = options;
  const { adb_url } = await client.instances.get({ params: { uuid } }, { signal });
  const { access_token } = await client.instances.accessToken({ body: { instance_uuid: uuid } }, { signal });
  const { connection, closed, close } = await connect(adb_url, access_token, signal);
  try {
    const transport = AdbDaemonTransport.authenticate({ serial: uuid, connection, credentialStore });
    // A tunnel that closes would otherwise be a stream that ends, for no reason.
    return new Adb(await Promise.race([transport, closed.then((why) => Promise.reject(why))]));
  } catch (error) {
    close();
    signal?.throwIfAborted();
    throw error;
  }
}

interface Tunnel {
  connection: AdbDaemonConnection;
  /** Resolves with why. */
  closed: Promise<Error>;
  close(): void;
}

/** Packets through a WebSocket, whose first message is the token. */
async function connect(url: string, token: string, signal?: AbortSignal): Promise<Tunnel> {
  signal?.throwIfAborted();
  const socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  const close = () => socket.close();
  signal?.addEventListener("abort", close);
  const closed = new Promise<Error>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => {
      signal?.removeEventListener("abort", close);
      resolve(new Error(`The tunnel to the device is closed: ${reason || "the connection was lost"} (${code})`));
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    void closed.then((why) => reject((signal?.reason as Error | undefined) ?? why));
  });
  socket.send(token);
  const arriving = new ReadableStream<Uint8Array>({
    start(controller) {
      socket.addEventListener("message", ({ data }) => {
        if (data instanceof ArrayBuffer) controller.enqueue(new Uint8Array(data));
      });
      void closed.then((why) => controller.error(why));
    },
    cancel: close,
  });
  const leaving = new WritableStream<Consumable<Uint8Array>>({
    write: (chunk) => chunk.tryConsume((bytes) => socket.send(bytes as Uint8Array<ArrayBuffer>)),
    close,
    abort: close,
  });
  const serializer = new AdbPacketSerializeStream();
  void serializer.readable.pipeTo(leaving).catch(close);
  const readable = arriving.pipeThrough(new StructDeserializeStream(AdbPacket));
  return { connection: { readable, writable: serializer.writable }, closed, close };
}
