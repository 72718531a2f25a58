import { connect, type Socket } from "node:net";
import { type Asks, CONTROL_VERSION, HostError, type Reply, type Watcher } from "./control-protocol.ts";
import { readJsonLines, writeJsonLine } from "./json-lines.ts";

/** A server's connection to a host process. */
export class HostClient {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  readonly #closed = new AbortController();
  #next = 1;
  /** Notified about devices once `watch` was called. */
  watcher: Watcher | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    readJsonLines(socket, (value) => this.#hear(value as Reply));
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      const error = new HostError("ENDING", "the connection to the simulator's host is closed");
      this.#closed.abort(error);
      for (const waiting of this.#waiting.values()) waiting.reject(error);
      this.#waiting.clear();
    });
  }

  /** Undefined when nobody answers on the socket. */
  static connect(path: string): Promise<HostClient | undefined> {
    return new Promise((resolve) => {
      const socket = connect(path);
      const failed = () => resolve(undefined);
      socket.once("error", failed);
      socket.once("connect", () => {
        socket.off("error", failed);
        resolve(new HostClient(socket));
      });
    });
  }

  /** Aborts when the connection is over. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Rejects with `HostError`. */
  ask<Name extends keyof Asks>(ask: Name, asks: Asks[Name]["asks"]): Promise<Asks[Name]["answer"]> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.closed.aborted) return reject(this.closed.reason);
      const number = this.#next++;
      this.#waiting.set(number, { resolve, reject });
      writeJsonLine(this.#socket, { ...asks, version: CONTROL_VERSION, number, ask });
    }) as Promise<Asks[Name]["answer"]>;
  }

  close(): void {
    this.#socket.destroy();
  }

  #hear(reply: Reply): void {
    if ("started" in reply) return this.watcher?.started(reply.started);
    if ("gone" in reply) return this.watcher?.gone(reply.gone);
    const waiting = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if ("error" in reply) waiting?.reject(new HostError(reply.error.code, reply.error.message));
    else waiting?.resolve(reply.answer);
  }
}
