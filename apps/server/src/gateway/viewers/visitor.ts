import type { Clock } from "@terrarium/clock";
import type { DeviceAct } from "../../features/instances/device-acts.ts";
import { Cleanup } from "../../platform/clean-up.ts";
import type { Logger } from "../../platform/log.ts";
import { Farewell, farewells } from "../farewell.ts";
import type { WatchedDevice } from "../watched-device.ts";
import type { NetworkBudget } from "./network-talk.ts";
import { TalkBudget } from "./talk-budget.ts";
import type { ViewerSocket } from "./viewer-socket.ts";

/** The token is sent as soon as the socket opens. */
const TOKEN_TIMEOUT_MS = 10_000;
/** A socket does not notice by itself that the other side is gone. */
const HEARTBEAT_MS = 15_000;
/** How long the other side may take to agree that the socket is closed. One that means harm never does. */
const CLOSE_TIMEOUT_MS = 2_000;
/** A player never sends one, apart from an occasional empty candidate. */
const MAX_BAD_MESSAGES = 100;
/** Until its token is accepted, a client has nothing else to say. */
const MAX_ANONYMOUS_MESSAGES = 20;

/** What a token allows. */
export interface Grant {
  instanceUuid: string;
  user: string;
  role: "owner" | "participant";
  /** The session or API token that requested it; the grant ends with it. Strangers at the showcase have none. */
  credential?: string | undefined;
  /** The link to a page of others that they came by, for which nobody in particular is here; it ends with that, too. */
  link?: string | undefined;
  /** As whom they are recorded, a session's user or a token, and for which organization. */
  cameAs?: "user" | "token";
  organization?: string;
  /** True: may watch but not touch. */
  viewOnly?: boolean;
  /** When the device that is shown to everybody was first online, in milliseconds. */
  onlineAt?: number | undefined;
}

/** Reads a token: what it grants, or why it grants nothing. Rejects only on a fault of the server. */
export type Authorize = (token: string) => Promise<Grant | "wrong" | "expired" | "ended">;

export interface VisitorDeps {
  instanceUuid: string;
  clock: Clock;
  log: Logger;
  authorize: Authorize;
  /** Called once the token has been accepted. */
  onAuthenticated(): void;
  /** Called when the token was refused. */
  onRefused(reason: "wrong" | "expired"): void;
  networkTalk: NetworkBudget;
  /** Called when somebody has done something to the device that is to be known later. */
  onAct(grant: Grant, act: DeviceAct): void;
  /** Whether the device is still to come, and so few wait for it that they may prepare. */
  isAwaited(): boolean;
  /** Resolves when the device is there, now or soon; otherwise rejects with a `Farewell` or the signal's reason. */
  findDevice(signal: AbortSignal): Promise<WatchedDevice>;
}

/** One socket to one device: shows its token, is served by a subclass, and ends with its grant, with the device, or by itself. */
export abstract class Visitor {
  protected readonly socket: ViewerSocket;
  protected readonly budget = new TalkBudget();
  readonly #deps: VisitorDeps;
  /** Aborts with a `Farewell`, or with another reason when the browser left. */
  readonly #over = new AbortController();
  /** Aborts when the socket has closed. */
  readonly #closed = new AbortController();
  readonly #token = Promise.withResolvers<string>();
  #grant: Grant | undefined;
  #anonymousMessages = 0;
  #badMessages = 0;
  #isAlive = true;

  constructor(socket: ViewerSocket, deps: VisitorDeps) {
    this.socket = socket;
    this.#deps = deps;
    socket.listen({
      onText: (text) => this.hear(text),
      onPong: () => (this.#isAlive = true),
      onClose: () => {
        this.#over.abort(new Error("the viewer left"));
        this.#closed.abort();
      },
    });
  }

  /** Undefined until the token has been read. */
  get grant(): Grant | undefined {
    return this.#grant;
  }

  /** Access units that were sent, and those that were skipped because the visitor had fallen behind. */
  get units(): { sent: number; skipped: number } {
    return { sent: 0, skipped: 0 };
  }

  /** From now on they may touch the device, or only watch. */
  setControl(canControl: boolean): void {
    if (this.#grant) this.#grant = { ...this.#grant, viewOnly: !canControl };
  }

  end(why: Farewell): void {
    this.#over.abort(why);
  }

  /** The life of a visitor, from its token until it leaves or is sent away. */
  async run(): Promise<void> {
    const cleanup = new Cleanup();
    try {
      const grant = await this.#readToken(await this.#tokenInTime());
      this.#grant = grant;
      this.#deps.onAuthenticated();
      if (this.#deps.isAwaited()) this.prepare(cleanup);
      const device = await this.#deps.findDevice(this.over);
      this.over.throwIfAborted();
      // Control may have changed while it waited.
      this.serve(device, this.#grant, cleanup);
      await this.#watchHeartbeat();
    } catch (error) {
      this.end(error instanceof Farewell ? error : this.#farewellFor(error));
    }
    await cleanup
      .run()
      .catch((error: unknown) => this.#deps.log.error({ err: error }, "a viewer left something behind"));
    const reason: unknown = this.over.reason;
    if (reason instanceof Farewell) await this.#close(reason);
  }

  /** Does what can be done before the device is there, and registers how it is undone. */
  protected prepare(_cleanup: Cleanup): void {}

  /** Sets up what the visitor came for, and registers how it is undone. Throws a `Farewell` if there is no room. */
  protected abstract serve(device: WatchedDevice, grant: Grant, cleanup: Cleanup): void;

  /** Takes a message; returns false if it makes no sense at this point. */
  protected abstract take(text: string): boolean;

  /** Aborts when it is over. */
  protected get over(): AbortSignal {
    return this.#over.signal;
  }

  protected giveToken(token: string): void {
    this.#token.resolve(token);
  }

  /** Whether to read a message. A visitor that sends more than any player does is disconnected. */
  protected mayRead(chars: number): boolean {
    if (this.over.aborted) return false;
    const now = this.#deps.clock.monotonic();
    const allowed =
      this.budget.allowsMessage(chars, now) &&
      this.#deps.networkTalk.allowsMessage(chars, now) &&
      (this.#grant !== undefined || ++this.#anonymousMessages <= MAX_ANONYMOUS_MESSAGES);
    if (!allowed) this.end(farewells.badMessage());
    return allowed;
  }

  /** A message as it arrives; undefined for a binary or overlong one. */
  protected hear(text: string | undefined): void {
    if (!this.mayRead(text?.length ?? 0)) return;
    this.#isAlive = true;
    if (text !== undefined && this.take(text)) return;
    if (++this.#badMessages > MAX_BAD_MESSAGES) this.end(farewells.badMessage());
  }

  async #close({ code, message }: Farewell): Promise<void> {
    this.socket.close(code, message);
    await this.#deps.clock.sleep(CLOSE_TIMEOUT_MS, this.#closed.signal).then(
      () => this.socket.terminate(),
      () => undefined,
    );
  }

  async #tokenInTime(): Promise<string> {
    const came = new AbortController();
    const signal = AbortSignal.any([came.signal, this.over]);
    const late = this.#deps.clock.sleep(TOKEN_TIMEOUT_MS, signal).then(() => {
      throw farewells.noToken();
    });
    // Nobody awaits it when the token comes first.
    late.catch(() => undefined);
    return await Promise.race([this.#token.promise, late]).finally(() => came.abort());
  }

  async #readToken(token: string): Promise<Grant> {
    const grant = await this.#deps.authorize(token);
    if (grant === "ended") throw farewells.deviceEnded();
    if (typeof grant === "object" && grant.instanceUuid === this.#deps.instanceUuid) {
      this.over.throwIfAborted();
      return grant;
    }
    this.#deps.onRefused(grant === "expired" ? "expired" : "wrong");
    throw grant === "expired" ? farewells.expiredToken() : farewells.wrongToken();
  }

  /** Never resolves; rejects when the visitor is over. */
  async #watchHeartbeat(): Promise<never> {
    for (;;) {
      await this.#deps.clock.sleep(HEARTBEAT_MS, this.over);
      if (this.#isAlive) this.socket.ping();
      else this.socket.terminate();
      this.#isAlive = false;
    }
  }

  /** Any other error means that the visitor left, or a defect. */
  #farewellFor(error: unknown): Farewell {
    if (!this.over.aborted) this.#deps.log.error({ err: error }, "a viewer could not be served");
    return farewells.serverTrouble();
  }
}
