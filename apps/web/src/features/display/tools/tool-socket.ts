import type { Clock } from "@terrarium/clock";
import { AppError, type ToolTrouble } from "@terrarium/contract";
import { isFinal } from "@terrarium/sdk/display";
import { Listeners } from "../../../components/listeners.ts";

/** Between attempts to come back. */
const RETRY_MS = 1_500;
/** How often received bytes are confirmed: the service sends no more than 2 MiB ahead. */
const CONFIRM_BYTES = 256 * 1024;

/** Whom the service sends away for good, and whom it has no room for. */
const NOT_ALLOWED = 1008;
const NO_ROOM = "too many tools";

/** Why something was not done, also for what only this end knows. */
type ToolFailureCode = ToolTrouble | "lost" | "notAllowed" | "noRoom" | "ended";

export class ToolFailure extends Error {
  readonly code: ToolFailureCode;
  /** What the device says. */
  readonly words: string | undefined;

  constructor(code: ToolFailureCode, words?: string) {
    super(code);
    this.code = code;
    this.words = words;
  }
}

/** How a tool is: on its way, there, away for a moment, or over, for a reason. */
export type ToolState =
  | { phase: "connecting" | "open" | "lost" }
  | { phase: "over"; failure?: ToolFailure; exitCode?: number; size?: number };

export interface ToolSocketOptions {
  /** The device's `tools_url`. */
  url: string;
  tool: "logcat" | "shell" | "files" | "apps" | "captures" | "download" | "replay" | "ui";
  /** Of what to download. */
  path?: string;
  /** Gives an access token of the device; called for each connection. */
  token: (signal: AbortSignal) => Promise<string>;
  /** Takes what the tool sends; resolves when it has dealt with that. */
  onBytes?: (bytes: Uint8Array) => void | Promise<void>;
  /** A connection is there: what was received belongs to one before. */
  onOpen?: () => void;
  /** What cannot go on where it was does not come back by itself. */
  isOnce?: boolean;
  clock: Clock;
  open?: (url: string) => WebSocket;
}

interface Said {
  type?: "READY" | "FAIL" | "END";
  id?: number;
  exitCode?: number;
  /** Bytes that were sent. */
  size?: number;
  error?: { code: ToolTrouble; words?: string };
}

/** The page's end of one tool of a device. It comes back by itself when its connection is lost. */
export class ToolSocket {
  readonly #options: ToolSocketOptions;
  readonly #listeners = new Listeners();
  readonly #asked = new Map<number, { resolve(answer: object): void; reject(error: Error): void }>();
  #state: ToolState = { phase: "connecting" };
  #stop: AbortController | undefined;
  #socket: WebSocket | undefined;
  #lastId = 0;

  constructor(options: ToolSocketOptions) {
    this.#options = options;
  }

  get state(): ToolState {
    return this.#state;
  }

  readonly subscribe = this.#listeners.subscribe;

  /** Connects, also again after it was over. */
  start(): void {
    this.stop();
    this.#stop = new AbortController();
    this.#change({ phase: "connecting" });
    const { signal } = this.#stop;
    this.#run(signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  stop(): void {
    this.#stop?.abort(new Error("the tool was closed"));
    this.#stop = undefined;
  }

  /** Has something done. Rejects with a `ToolFailure`. */
  ask<Answer extends object>(what: string, said: object = {}): Promise<Answer> {
    if (this.#state.phase !== "open") return Promise.reject(new ToolFailure("lost"));
    const id = ++this.#lastId;
    this.#say({ ...said, do: what, id });
    return new Promise((resolve, reject) =>
      this.#asked.set(id, { resolve: (answer) => resolve(answer as Answer), reject }),
    );
  }

  /** What somebody types. */
  type(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#state.phase === "open") this.#socket?.send(bytes);
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, token, isOnce = false } = this.#options;
    for (;;) {
      const end = await token(signal).then(
        (access) => this.#connect(access, signal),
        (error: unknown): ToolState => (isFinal(error) ? over(refusalOf(error)) : { phase: "lost" }),
      );
      signal.throwIfAborted();
      const isOver = end.phase === "over" || isOnce;
      this.#change(isOver && end.phase !== "over" ? over("lost") : end);
      if (isOver) return;
      await clock.sleep(RETRY_MS, signal);
    }
  }

  /** One connection, until it is over. */
  #connect(token: string, signal: AbortSignal): Promise<ToolState> {
    const { url, tool, path, open = (to) => new WebSocket(to) } = this.#options;
    const { promise, resolve } = Promise.withResolvers<ToolState>();
    const done = new AbortController();
    const socket = open(url);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    const end = (state: ToolState) => {
      done.abort();
      resolve(state);
      socket.close();
      for (const { reject } of this.#asked.values()) reject(new ToolFailure("lost"));
      this.#asked.clear();
    };
    const listen = <Type extends "open" | "message" | "close">(
      type: Type,
      act: (event: WebSocketEventMap[Type]) => void,
    ) => socket.addEventListener(type, act, { signal: done.signal });
    listen("open", () => this.#say({ token, tool, path }));
    const take = this.#taker(socket);
    listen("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data !== "string") return take(new Uint8Array(data));
      const said = JSON.parse(data) as Said;
      if (said.type === "READY") {
        this.#options.onOpen?.();
        this.#change({ phase: "open" });
      } else if (said.type === "FAIL") end(over(said.error?.code ?? "failed", said.error?.words));
      else if (said.type === "END") end({ phase: "over", exitCode: said.exitCode, size: said.size });
      else this.#answer(said);
    });
    listen("close", ({ code, reason }) => {
      if (code === NOT_ALLOWED) end(over("notAllowed"));
      else end(reason === NO_ROOM ? over("noRoom") : { phase: "lost" });
    });
    signal.addEventListener("abort", () => end({ phase: "lost" }), { once: true, signal: done.signal });
    if (signal.aborted) end({ phase: "lost" });
    return promise;
  }

  /** Hands on bytes, and confirms those that have been dealt with. */
  #taker(socket: WebSocket): (bytes: Uint8Array) => void {
    let [received, confirmed] = [0, 0];
    return (bytes) => {
      void Promise.resolve(this.#options.onBytes?.(bytes)).then(() => {
        received += bytes.length;
        if (received - confirmed < CONFIRM_BYTES || this.#socket !== socket || socket.readyState !== 1) return;
        confirmed = received;
        this.#say({ received });
      });
    };
  }

  #answer({ id = 0, error, ...answer }: Said): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (error) asked?.reject(new ToolFailure(error.code, error.words));
    else asked?.resolve(answer);
  }

  #say(message: object): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #change(state: ToolState): void {
    this.#state = state;
    this.#listeners.notify();
  }
}

const over = (code: ToolFailureCode, words?: string): ToolState => ({
  phase: "over",
  failure: new ToolFailure(code, words),
});

const refusalOf = (error: unknown): ToolFailureCode =>
  error instanceof AppError && error.code === "INSTANCE_NOT_ALLOWED" ? "notAllowed" : "ended";
