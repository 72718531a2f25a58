import { type Channel, eventNames, type EventOf, events, socketPath, socketReconnect } from "@terrarium/contract";
import { Listeners } from "../components/listeners.ts";

/** `live`: events come. `waiting`: it tries by itself. `lost`: it has given up and waits to be asked. */
type LinkStatus = "off" | "waiting" | "live" | "lost";

/** What we use of a socket.io socket. */
export interface Wire {
  on(event: string, listener: (payload: unknown) => void): unknown;
  io: {
    on(event: "reconnect_attempt" | "reconnect_failed", listener: () => void): unknown;
    opts: { query?: object; transports?: unknown };
  };
  /** Whether it will try again by itself. */
  active: boolean;
  connect(): unknown;
  disconnect(): unknown;
}

export interface WireOptions {
  path: string;
  query: Record<string, string>;
  transports: ("websocket" | "polling")[];
  /** Whether the next transport is tried as soon as one fails to open. */
  tryAllTransports: boolean;
  reconnectionDelay: number;
  reconnectionDelayMax: number;
  randomizationFactor: number;
  reconnectionAttempts: number;
}

interface Deps {
  connect(options: WireOptions): Wire;
  token(): string | undefined;
  onEvent<C extends Channel>(channel: C, data: EventOf<C>["data"]): void;
  /** The service has ended the link, or refuses it: the session may be over. */
  onEnded(): Promise<void>;
  /**
   * The link is there, for the first time or again. What was said before is lost, and has to be fetched if it had been read already.
   */
  onLive(isAgain: boolean): void;
}

/** The link over which the service announces changes. It lives outside React and is started and stopped once per session. */
export class RealtimeLink {
  readonly #deps: Deps;
  #wire: Wire | undefined;
  #status: LinkStatus = "off";
  #hasBeenLive = false;
  readonly #listeners = new Listeners();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get status(): LinkStatus {
    return this.#status;
  }

  readonly subscribe = this.#listeners.subscribe;

  start(): void {
    if (this.#wire) return;
    const wire = this.#deps.connect({
      path: socketPath,
      query: this.#query(),
      transports: ["websocket", "polling"],
      tryAllTransports: true,
      reconnectionDelay: socketReconnect.delayMs,
      reconnectionDelayMax: socketReconnect.delayMs,
      randomizationFactor: 0,
      reconnectionAttempts: socketReconnect.attempts,
    });
    this.#wire = wire;
    this.#change("waiting");
    wire.on("connect", () => this.#connected());
    wire.on("disconnect", () => {
      this.#change(wire.active ? "waiting" : "lost");
      // The token that it was opened with may merely have run out, and been renewed since.
      if (this.#status === "lost") void this.#deps.onEnded().then(() => this.retry());
    });
    wire.on("connect_error", (error) => {
      // A proxy may swallow the upgrade rather than refuse it. Polling then comes first, and is left when an upgrade succeeds.
      if (error instanceof Error && error.message === "timeout") wire.io.opts.transports = ["polling", "websocket"];
      this.#change(wire.active ? "waiting" : "lost");
      if (this.#status === "lost") void this.#deps.onEnded();
    });
    // The token may have been renewed since.
    wire.io.on("reconnect_attempt", () => (wire.io.opts.query = this.#query()));
    wire.io.on("reconnect_failed", () => this.#change("lost"));
    for (const channel of Object.keys(events) as Channel[]) {
      wire.on(eventNames[channel], (payload) => {
        const event = events[channel].safeParse(payload);
        if (event.success) this.#deps.onEvent(channel, event.data.data);
      });
    }
  }

  /** Tries again after it had given up. */
  retry(): void {
    if (this.#status !== "lost" || !this.#wire) return;
    this.#wire.io.opts.query = this.#query();
    this.#change("waiting");
    this.#wire.connect();
  }

  stop(): void {
    const wire = this.#wire;
    this.#wire = undefined;
    this.#hasBeenLive = false;
    wire?.disconnect();
    this.#change("off");
  }

  #connected(): void {
    this.#change("live");
    this.#deps.onLive(this.#hasBeenLive);
    this.#hasBeenLive = true;
  }

  #query(): Record<string, string> {
    return { token: `Bearer ${this.#deps.token() ?? ""}` };
  }

  #change(status: LinkStatus): void {
    // A stopped link says nothing more.
    if (status === this.#status || (!this.#wire && status !== "off")) return;
    this.#status = status;
    this.#listeners.notify();
  }
}
