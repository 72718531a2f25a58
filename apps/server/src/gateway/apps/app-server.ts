import type { Clock } from "@terrarium/clock";
import { AppError, type InstalledApp } from "@terrarium/contract";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "../../platform/log.ts";
import type { Authorize } from "../viewers/visitor.ts";
import { type AppLink, installApp } from "./install-app.ts";

/** A client that sends nothing for this long has given up, or means harm. */
const STALL_MS = 30_000;
/** A slow device compiles a large app for minutes once it has all of it. */
const INSTALL_MS = 10 * 60_000;
/** How often use of a device is reported. */
const USE_INTERVAL_MS = 1_000;

export interface AppServerDeps {
  clock: Clock;
  log: Logger;
  authorize: Authorize;
  /** Called while an app arrives, at most once a second. */
  onUse(instance: string): void;
}

/** Takes apps for this gateway's devices from the api, one at a time for each device. */
export class AppServer {
  readonly #deps: AppServerDeps;
  readonly #links = new Map<string, AppLink>();

  constructor(deps: AppServerDeps) {
    this.#deps = deps;
  }

  /** The device has booted. Returns how to say that it no longer answers. */
  add(instance: string, link: AppLink): () => void {
    this.#links.set(instance, link);
    return () => {
      if (this.#links.get(instance) === link) this.#links.delete(instance);
    };
  }

  /** Answers with an `InstalledApp`, or with an error's code and details. */
  async serve(instance: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      // The api hangs up when it has the reply. If the connection was closed while it still sends, it would not get it.
      request.resume();
    };
    try {
      reply(200, await this.#install(instance, request));
    } catch (error) {
      if (!(error instanceof AppError)) this.#deps.log.warn({ err: error, instance }, "an app could not be installed");
      const { code, status, details } = error instanceof AppError ? error : new AppError("SERVICE_UNAVAILABLE");
      reply(status, { code, details });
    }
  }

  async #install(instance: string, request: IncomingMessage): Promise<InstalledApp> {
    const { clock, authorize, onUse } = this.#deps;
    const grant = await authorize(/^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "");
    if (grant === "ended") throw new AppError("INSTANCE_ENDED");
    if (typeof grant === "string" || grant.instanceUuid !== instance || grant.role !== "owner")
      throw new AppError("INSTANCE_NOT_ALLOWED");
    const link = this.#links.get(instance);
    if (!link) throw new AppError("INSTANCE_NOT_ONLINE");
    const arrival = new Arrival(request, clock, () => onUse(instance));
    try {
      const file = { bytes: Number(request.headers["content-length"]), source: arrival };
      return await installApp(link, file, { clock, signal: arrival.signal });
    } finally {
      arrival.end();
    }
  }
}

/** The body of a request, and whether its outcome is still worth waiting for: the client and the device take turns. */
class Arrival implements AsyncIterable<Uint8Array> {
  readonly #request: IncomingMessage;
  readonly #clock: Clock;
  readonly #onUse: () => void;
  readonly #over = new AbortController();
  /** Until then, by the monotonic clock, whoever's turn it is may take. */
  #until: number;

  constructor(request: IncomingMessage, clock: Clock, onUse: () => void) {
    this.#request = request;
    this.#clock = clock;
    this.#onUse = onUse;
    this.#until = clock.monotonic() + INSTALL_MS;
    request.once("close", () => request.complete || this.#over.abort(new AppError("REQUEST_TIMEOUT")));
    this.#watch().catch(() => undefined);
  }

  /** Aborts when the client is gone or stalls, or the device takes too long. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    let usedAt = Number.NEGATIVE_INFINITY;
    this.#wait(STALL_MS);
    for await (const part of this.#request.iterator({ destroyOnReturn: false })) {
      const now = this.#clock.monotonic();
      if (now - usedAt >= USE_INTERVAL_MS) {
        usedAt = now;
        this.#onUse();
      }
      this.#wait(INSTALL_MS);
      yield part as Uint8Array;
      this.#wait(STALL_MS);
    }
    this.#wait(INSTALL_MS);
  }

  end(): void {
    this.#over.abort();
  }

  #wait(ms: number): void {
    this.#until = this.#clock.monotonic() + ms;
  }

  async #watch(): Promise<void> {
    for (;;) {
      const leftMs = this.#until - this.#clock.monotonic();
      if (leftMs <= 0) break;
      // It may be the client's turn by then, who has no more than this.
      await this.#clock.sleep(Math.min(leftMs, STALL_MS), this.signal);
    }
    this.#over.abort(new AppError("REQUEST_TIMEOUT"));
    // Whoever waits for its next part waits no longer.
    this.#request.destroy();
  }
}
