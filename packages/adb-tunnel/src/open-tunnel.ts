import { type Clock, systemClock } from "@terrarium/clock";
import { createServer, type Server, type Socket } from "node:net";
import { type ClientOptions, type RawData, WebSocket } from "ws";
import { closeCodes } from "./close-codes.ts";
import { parseConfirmation, parseWelcome } from "./messages.ts";
import { ResumableEnd, RESUME_MS, WINDOW_BYTES } from "./resumable-end.ts";

const LOOPBACK = "127.0.0.1";
/** How often the service is asked whether it is there, and how long it may take to answer. */
const HEARTBEAT_MS = 5_000;
const SILENCE_MS = 12_000;
/** Between attempts to come back. */
const RETRY_MS = 500;
/** How long opening a socket may take. */
const CONNECT_MS = 10_000;

/** Upon these there is nothing to come back to. */
const finalCodes: ReadonlySet<number> = new Set([
  closeCodes.adbClosed,
  closeCodes.refused,
  closeCodes.wrongToken,
  closeCodes.shutdown,
  closeCodes.notResumable,
  closeCodes.resumed,
]);

export interface TunnelOptions {
  /** The device's `adb_url`. */
  url: string;
  /** Gives an access token of the device; called for each connection, also to come back after one. */
  token(): Promise<string>;
  /** The port to listen on; any that is free by default. */
  port?: number;
  /** How its sockets are opened, if not directly: by way of a proxy. */
  socket?: ClientOptions;
  clock?: Clock;
  /** Called with what goes wrong, in a sentence. */
  report?: (problem: string) => void;
}

export interface OpenTunnel {
  /** For `adb connect`. */
  readonly host: string;
  readonly port: number;
  /** Closes the port and everything that goes through it. */
  close(): Promise<void>;
}

/**
 * Opens a local TCP port that leads to a device's adb, through its `adb_url`. Each connection to the port is a tunnel of its own, and outlives
 * a network that is lost for less than a minute. Rejects if the port is taken.
 */
export async function openTunnel(options: TunnelOptions): Promise<OpenTunnel> {
  const ends = new Set<LocalEnd>();
  const server = createServer({ noDelay: true, allowHalfOpen: false }, (socket) => {
    const end = new LocalEnd(socket, options);
    ends.add(end);
    void end.run().finally(() => ends.delete(end));
  });
  const port = await listen(server, options.port ?? 0);
  return {
    host: LOOPBACK,
    port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const end of ends) end.close();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });
}

/** One connection of a local adb, and the sockets that carry it one after the other. */
class LocalEnd {
  readonly #socket: Socket;
  readonly #options: TunnelOptions;
  readonly #clock: Clock;
  readonly #end = new ResumableEnd();
  readonly #over = new AbortController();
  #webSocket: WebSocket | undefined;
  #id: string | undefined;
  #problem: string | undefined;

  constructor(socket: Socket, options: TunnelOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    socket.pause();
    socket.on("error", () => undefined);
    socket.on("close", () => this.close());
    socket.on("data", (chunk: Buffer) => this.#fromLocal(chunk));
    socket.on("drain", () => this.#confirm());
  }

  close(): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.#socket.destroy();
    this.#webSocket?.close(closeCodes.adbClosed);
  }

  /** Carries the connection until it is over. Never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#over;
    let lostAt = this.#clock.monotonic();
    while (!signal.aborted) {
      const code = await this.#carry(() => (lostAt = Number.POSITIVE_INFINITY)).catch((error: unknown) => {
        this.#report(error instanceof Error ? error.message : String(error));
        return isRefusal(error) ? closeCodes.refused : undefined;
      });
      if (signal.aborted || (code !== undefined && finalCodes.has(code))) break;
      lostAt = Math.min(lostAt, this.#clock.monotonic());
      if (this.#clock.monotonic() - lostAt > RESUME_MS) break;
      await this.#clock.sleep(RETRY_MS, signal).catch(() => undefined);
    }
    this.close();
  }

  /** Uses one socket until it closes; resolves with its close code. `onWelcome` is called when it carries bytes. */
  async #carry(onWelcome: () => void): Promise<number> {
    const token = await this.#options.token();
    const webSocket = new WebSocket(this.#options.url, {
      ...this.#options.socket,
      perMessageDeflate: false,
      handshakeTimeout: CONNECT_MS,
    });
    this.#webSocket = webSocket;
    const done = new AbortController();
    const closed = new Promise<number>((resolve) => webSocket.on("close", resolve));
    let heardAt = this.#clock.monotonic();
    let isWelcome = false;
    webSocket.on("error", (error) => this.#over.signal.aborted || this.#report(error.message));
    webSocket.on("open", () => {
      if (this.#over.signal.aborted) return webSocket.terminate();
      const resume = this.#id ?? "new";
      webSocket.send(JSON.stringify({ token, resume, received: this.#end.received }));
      heardAt = this.#clock.monotonic();
    });
    const heard = () => (heardAt = this.#clock.monotonic());
    webSocket.on("ping", heard).on("pong", heard);
    webSocket.on("message", (data: RawData, isBinary) => {
      heard();
      if (isBinary) return this.#fromService(data as Buffer);
      const text = (data as Buffer).toString();
      if (isWelcome) return this.#confirmed(parseConfirmation(text));
      isWelcome = true;
      this.#problem = undefined;
      onWelcome();
      this.#welcome(text, webSocket);
    });
    void this.#watch(webSocket, done.signal, () => heardAt);
    try {
      return await closed;
    } finally {
      done.abort();
      this.#webSocket = undefined;
      this.#socket.pause();
    }
  }

  /** Once: a network that is away fails each attempt in the same way. */
  #report(problem: string): void {
    if (problem !== this.#problem) this.#options.report?.(problem);
    this.#problem = problem;
  }

  #welcome(text: string, webSocket: WebSocket): void {
    const welcome = parseWelcome(text);
    const missed = welcome && this.#end.resume(welcome.received);
    // It is no tunnel, or another one.
    if (!missed) return this.close();
    this.#id = welcome.resume;
    for (const bytes of missed) webSocket.send(bytes);
    if (!this.#end.isFull) this.#socket.resume();
  }

  #fromLocal(chunk: Uint8Array): void {
    this.#end.send(chunk);
    if (this.#webSocket?.readyState === WebSocket.OPEN) this.#webSocket.send(chunk);
    if (this.#end.isFull) this.#socket.pause();
  }

  #fromService(bytes: Uint8Array): void {
    this.#end.receive(bytes.length);
    if (this.#end.waiting > 2 * WINDOW_BYTES) return this.close();
    if (this.#socket.write(bytes)) this.#confirm();
  }

  #confirm(): void {
    const received = this.#end.take();
    if (received !== undefined && this.#webSocket?.readyState === WebSocket.OPEN)
      this.#webSocket.send(JSON.stringify({ received }));
  }

  #confirmed(received: number | undefined): void {
    if (received === undefined || !this.#end.confirm(received)) return this.close();
    if (!this.#end.isFull && this.#webSocket) this.#socket.resume();
  }

  /** Gives up a socket on which nothing is heard any more: a network that is gone does not close it. */
  async #watch(webSocket: WebSocket, signal: AbortSignal, heardAt: () => number): Promise<void> {
    for (;;) {
      await this.#clock.sleep(HEARTBEAT_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      if (this.#clock.monotonic() - heardAt() > SILENCE_MS) webSocket.terminate();
      else if (webSocket.readyState === WebSocket.OPEN) webSocket.ping();
    }
  }
}

/** Whether the service gives no token to this person, so that asking again would not help. */
const isRefusal = (error: unknown): boolean => {
  const { status } = error as { status?: unknown };
  return typeof status === "number" && [401, 403, 404, 409].includes(status);
};
