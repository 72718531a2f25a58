import type { Clock } from "@terrarium/clock";
import type { ControlMessage, ServerOptions } from "@terrarium/scrcpy";
import type { Logger } from "../../platform/log.ts";
import type { DisplaySource } from "../display/display-source.ts";
import { type PointerCommand, PointerInput } from "../input/pointer-input.ts";
import { Miniature, miniatureOptions, type OpenMiniature } from "../miniatures/miniature.ts";
import { play } from "./play.ts";

const PICTURES_PER_SECOND = 15;
/** Between two pictures for one visitor. */
export const PICTURE_MS = 1_000 / PICTURES_PER_SECOND;

/** As a miniature, but it moves, and can be touched. */
export const showcaseOptions = {
  ...miniatureOptions,
  maxSize: 800,
  maxFps: PICTURES_PER_SECOND,
  control: true,
} as const satisfies Partial<ServerOptions>;

/** Whoever touches it has it to themselves until they have not touched it for a while, at most for this long. */
const HAND_MS = 120_000;
const IDLE_MS = 25_000;
/** Before it is tried again to replace the device. */
const RETRY_MS = 3_000;

export interface ShowcaseDeps {
  /** Opens a display of its own; the signal cancels that. */
  open: OpenMiniature;
  /** Has another device take the place of this one. */
  replace: () => Promise<void>;
  clock: Clock;
  log: Logger;
  /** Aborts when the device is over. */
  over: AbortSignal;
}

/**
 * A device that strangers look at and touch. While somebody looks, it plays by itself. The first to touch it has it alone: from then on
 * nobody else sees it, as what one stranger does on it is not for others. When they leave it, the device is replaced by a fresh one.
 */
export class Showcase {
  readonly pictures: Miniature;
  readonly #deps: ShowcaseDeps;
  readonly #addedAt: number;
  readonly #visitors = new Map<object, AbortController>();
  readonly #pointer: PointerInput;
  #source: DisplaySource | undefined;
  #playing = new AbortController();
  #hand: object | undefined;
  #touchedAt = 0;

  constructor(deps: ShowcaseDeps) {
    this.#deps = deps;
    const { open, clock, log, over } = deps;
    this.#addedAt = clock.now();
    this.pictures = new Miniature({
      open: async (signal) => {
        const source = await open(signal);
        this.#source = source;
        this.#play();
        return source;
      },
      clock,
      log,
      over,
    });
    this.#pointer = new PointerInput({
      viewer: 0,
      size: () => this.#size,
      send: (message) => this.#send(message),
    });
  }

  /**
   * False for a device that was online before this gateway had it: a stranger may have touched it, which only the earlier gateway knew. Nobody
   * sees it, and it is replaced.
   */
  admits(onlineAt: number | undefined): boolean {
    if (onlineAt === undefined || onlineAt >= this.#addedAt) return true;
    if (!this.#hand) void this.#replace();
    return false;
  }

  /** Somebody looks, until the returned function is called. */
  enter(visitor: object): () => void {
    const left = new AbortController();
    this.#visitors.set(visitor, left);
    if (this.#visitors.size === 1) this.#play();
    return () => {
      left.abort();
      this.#visitors.delete(visitor);
      if (this.#visitors.size === 0) this.#playing.abort();
    };
  }

  isShownTo(visitor: object): boolean {
    return this.#hand === undefined || this.#hand === visitor;
  }

  /** Touches that come while somebody else has it do nothing. */
  touch(visitor: object, command: PointerCommand): void {
    const left = this.#visitors.get(visitor);
    if (!left || !this.isShownTo(visitor)) return;
    if (!this.#hand) {
      // To move a mouse over it is not to touch it.
      if (command.type !== "mouse" || command.action !== "press") return;
      this.#hand = visitor;
      this.#playing.abort();
      void this.#untilLetGo(left.signal);
    }
    this.#touchedAt = this.#deps.clock.monotonic();
    this.#pointer.handle(command);
  }

  get #size() {
    return this.#source?.size ?? { width: 0, height: 0 };
  }

  #send(message: ControlMessage): void {
    this.#source?.sendControl(message);
  }

  /** Begins to play, once its display is open, if somebody looks and nobody has it. */
  #play(): void {
    const { clock, over } = this.#deps;
    if (this.#visitors.size === 0 || this.#hand || !this.#source || this.#source.gone.aborted) return;
    this.#playing.abort();
    this.#playing = new AbortController();
    const signal = AbortSignal.any([this.#playing.signal, over]);
    void play({ size: () => this.#size, send: (message) => this.#send(message), clock, signal });
  }

  /** Another hand would find what this one has left. */
  async #untilLetGo(left: AbortSignal): Promise<void> {
    const { clock, over } = this.#deps;
    const signal = AbortSignal.any([left, over]);
    const until = clock.monotonic() + HAND_MS;
    for (let ms = IDLE_MS; ms > 0 && !signal.aborted;) {
      await clock.sleep(ms, signal).catch(() => undefined);
      ms = Math.min(until, this.#touchedAt + IDLE_MS) - clock.monotonic();
    }
    this.#pointer.release();
    await this.#replace();
  }

  async #replace(): Promise<void> {
    const { clock, log, over, replace } = this.#deps;
    // No visitor, so that nobody sees it until it is replaced, not even who has touched it and still looks.
    this.#hand = this;
    do {
      await replace().catch((error: unknown) => log.error({ err: error }, "the showcase could not be replaced"));
      await clock.sleep(RETRY_MS, over).catch(() => undefined);
    } while (!over.aborted);
  }
}
