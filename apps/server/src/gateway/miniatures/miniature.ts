import { aborted, type Clock } from "@terrarium/clock";
import type { ServerOptions, VideoPacket } from "@terrarium/scrcpy";
import type { Logger } from "../../platform/log.ts";
import { unitOf } from "../display/display.ts";
import type { DisplaySource } from "../display/display-source.ts";

/**
 * What a miniature asks of scrcpy: a small picture, at most one a second, each of them whole. It cannot be touched, and does not turn
 * on a screen that is off.
 */
export const miniatureOptions = {
  maxSize: 640,
  maxFps: 1,
  keyFrameInterval: 0,
  control: false,
  powerOn: false,
  clipboardAutosync: false,
} as const satisfies Partial<ServerOptions>;

/** A wall of devices for a class to look at, as with viewers. */
const MAX_ONLOOKERS = 32;
/** How long it stays open when nobody looks: scrolling up and down again, or reloading the page, must not restart it. */
const LINGER_MS = 5_000;
/** After it has ended by itself, or could not be opened. */
const RETRY_MS = 3_000;
/** A picture of this size is some ten kilobytes large. What is many times as large is no miniature. */
const MAX_PICTURE_BYTES = 256 * 1024;

/** Opens a display of its own for the miniature; the signal cancels that. */
export type OpenMiniature = (signal: AbortSignal) => Promise<DisplaySource>;

export interface MiniatureDeps {
  open: OpenMiniature;
  clock: Clock;
  log: Logger;
  /** Aborts when the device is over. */
  over: AbortSignal;
}

/**
 * A device's picture in small: the latest one, as a key frame that a decoder can start with. It is opened for the first onlooker, shared
 * by all, and closed soon after the last: while nobody looks, it costs nothing.
 */
export class Miniature {
  readonly #deps: MiniatureDeps;
  readonly #onlookers = new Set<() => void>();
  #running: AbortController | undefined;
  #linger = new AbortController();
  #picture: Buffer | undefined;

  constructor(deps: MiniatureDeps) {
    this.#deps = deps;
  }

  /** An Annex B access unit with its parameter sets; undefined until there is one. Another picture is another object. */
  get picture(): Buffer | undefined {
    return this.#picture;
  }

  get full(): boolean {
    return this.#onlookers.size >= MAX_ONLOOKERS;
  }

  /** Calls `onPicture` for each new picture until the returned function is called. */
  look(onPicture: () => void): () => void {
    this.#linger.abort();
    this.#onlookers.add(onPicture);
    if (!this.#running) void this.#run((this.#running = new AbortController()).signal);
    return () => {
      if (this.#onlookers.delete(onPicture) && this.#onlookers.size === 0) this.#closeLater();
    };
  }

  #closeLater(): void {
    this.#linger = new AbortController();
    this.#deps.clock.sleep(LINGER_MS, AbortSignal.any([this.#linger.signal, this.#deps.over])).then(
      () => {
        this.#running?.abort();
        this.#running = undefined;
        this.#picture = undefined;
      },
      () => undefined,
    );
  }

  /** Holds it open until nobody looks or the device is over. */
  async #run(running: AbortSignal): Promise<void> {
    const { open, clock, log, over } = this.#deps;
    const signal = AbortSignal.any([running, over]);
    while (!signal.aborted) {
      try {
        const source = await open(signal);
        source.watch((packet) => !signal.aborted && this.#take(packet, source));
        await aborted(AbortSignal.any([signal, source.gone]));
        await source.close();
      } catch (error) {
        if (!signal.aborted) log.debug({ err: error }, "a miniature could not be opened");
      }
      await clock.sleep(RETRY_MS, signal).catch(() => undefined);
    }
  }

  #take(packet: VideoPacket, { config }: DisplaySource): void {
    if (packet.type !== "frame" || !packet.keyFrame || packet.data.length > MAX_PICTURE_BYTES) return;
    this.#picture = unitOf(packet, config).data;
    for (const onPicture of this.#onlookers) onPicture();
  }
}
