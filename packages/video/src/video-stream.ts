import type { ServerOptions, VideoPacket } from "@terrarium/scrcpy";
import type { Clock } from "@terrarium/clock";
import type { Area } from "./area.ts";
import { H264Encoder } from "./h264-encoder.ts";
import { Turns } from "./turns.ts";
import { videoSize } from "./video-size.ts";

/** For a client that asks for no number: stock scrcpy, and recordings. */
const DEFAULT_FPS = 30;
const MAX_FPS = 60;
/** How long after the last change one more frame of better quality is sent. */
const REFINE_MS = 300;
/** After this long without a change the encoder, which holds megabytes, is closed until the next one. */
const REST_MS = 5_000;
/**
 * With encoders open for more than this, sixteen phones, an idle one is closed at once: a burst of starts would hold gigabytes.
 * Miniatures hardly count, and there may be many.
 */
const MANY_PIXELS = 16 * 720 * 1600;

export type StreamOptions = Pick<ServerOptions, "maxFps" | "maxSize" | "videoBitRate" | "keyFrameInterval">;

/** Something whose picture is sent. */
export interface Watched {
  readonly clock: Clock;
  readonly uptimeMs: number;
  readonly display: Shown;
}

/** What it shows, shared by all who watch it. */
export interface Shown {
  readonly screen: Readonly<{
    width: number;
    height: number;
    /** RGBA. */
    pixels: Uint8Array;
    /** Whether the next picture differs without anybody saying so. */
    animating: boolean;
  }>;
  /** Calls `watcher` at each change, until the returned function is called. */
  watch(watcher: () => void): () => void;
  /** Returns the number of the picture in `pixels`, which grows whenever they may differ. */
  paint(): number;
  /** Where the picture may differ from the one with this number; undefined if anywhere. */
  changedSince(picture: number): readonly Area[] | undefined;
  /** Whether somebody goes by what changes. */
  hold(holder: object): void;
  rest(holder: object): void;
}

/** A first picture takes a tenth of a second: a burst of starts must not hold up the rest of the process. */
const firstPictures = new Turns();

/**
 * The video of one session: it paints and encodes only when the screen has changed, with a maximum of frames a second, and at once when the
 * last frame is old enough, so that a tap is seen without waiting for a beat.
 */
export class VideoStream {
  readonly #device: Watched;
  readonly #options: StreamOptions;
  readonly #intervalMs: number;
  #encoder: H264Encoder | undefined;
  #size: { width: number; height: number } | undefined;
  #wanted = true;
  #wake = Promise.withResolvers<void>();
  #keyFrame = false;
  /** Number of the picture that was sent last. */
  #picture = -1;
  #lastMs = -Infinity;
  #refineAtMs: number | undefined;
  #restAtMs: number | undefined;
  #lastPtsUs = -1n;

  constructor(device: Watched, options: StreamOptions) {
    this.#device = device;
    this.#options = options;
    const fps = options.maxFps === 0 ? DEFAULT_FPS : Math.min(MAX_FPS, Math.max(1, options.maxFps));
    this.#intervalMs = 1000 / fps;
  }

  /** The size that touches are meant for; undefined before the first picture. */
  get size(): { width: number; height: number } | undefined {
    return this.#size;
  }

  /** Sends headers and a key frame, for a decoder that starts over. */
  reset(): void {
    this.#keyFrame = true;
    this.#ask();
  }

  /** Sends until the signal aborts or `send` rejects. The next picture is painted once `send` resolves. */
  async run(send: (packets: readonly VideoPacket[]) => Promise<void>, signal: AbortSignal): Promise<void> {
    const stopWatching = this.#device.display.watch(() => this.#ask());
    try {
      // The size first: the client prepares for it while the first picture is painted.
      const { width, height } = this.#device.display.screen;
      await send(this.#sessionOf(videoSize(width, height, this.#options.maxSize)));
      while (!signal.aborted) {
        await this.#wait(signal);
        if (!this.#encoder) await firstPictures.turn();
        if (signal.aborted) return;
        const packets = this.#next();
        if (packets.length > 0) await send(packets);
        if (this.#device.display.screen.animating) this.#ask();
        // A picture takes megabytes outside the heap, which are freed only when the event loop turns.
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      this.#rest();
      stopWatching();
    }
  }

  #ask(): void {
    this.#wanted = true;
    this.#wake.resolve();
  }

  /** Waits for something to show, then for its turn. */
  async #wait(signal: AbortSignal): Promise<void> {
    const { clock } = this.#device;
    if (!this.#wanted) {
      this.#wake = Promise.withResolvers();
      const stop = new AbortController();
      const ended = AbortSignal.any([signal, stop.signal]);
      const dueMs = this.#refineAtMs ?? this.#restAtMs;
      const due =
        dueMs === undefined
          ? onAbort(ended)
          : clock.sleep(Math.max(0, dueMs - clock.monotonic()), ended).catch(() => undefined);
      await Promise.race([this.#wake.promise, due]);
      stop.abort();
      signal.throwIfAborted();
      if (!this.#wanted) return;
    }
    const due = this.#lastMs + this.#intervalMs;
    if (due > clock.monotonic()) await clock.sleep(due - clock.monotonic(), signal);
    // A frame that is late by less than an interval does not delay the next, or a steady animation would run slow.
    this.#lastMs = clock.monotonic() - due < this.#intervalMs ? Math.max(due, this.#lastMs) : clock.monotonic();
  }

  /** The packets to send now; none if the screen has not changed. */
  #next(): VideoPacket[] {
    const { display, clock } = this.#device;
    const refine = !this.#wanted && this.#refineAtMs !== undefined;
    if (!this.#wanted && !refine) return this.#rest();
    this.#wanted = false;
    const picture = display.paint();
    const { width, height, pixels } = display.screen;
    const packets: VideoPacket[] = [];
    const before = this.#encoder;
    const encoder = this.#encoderFor(width, height, packets);
    // A new encoder begins with a key frame whether it is asked to or not.
    const isStart = encoder !== before || this.#keyFrame;
    const isIntra = this.#options.keyFrameInterval === 0;
    const changed = picture !== this.#picture || isStart;
    if (!changed && !refine) return [];
    const areas = encoder === before ? display.changedSince(this.#picture) : undefined;
    this.#keyFrame = false;
    this.#picture = picture;
    // Where each frame is a whole picture, a better one would cost as much again.
    const willRefine = changed && !isIntra;
    this.#refineAtMs = willRefine ? clock.monotonic() + REFINE_MS : undefined;
    const restMs = H264Encoder.pixels > MANY_PIXELS ? 0 : REST_MS;
    this.#restAtMs = willRefine ? undefined : clock.monotonic() + restMs;
    const now = BigInt(Math.round(this.#device.uptimeMs * 1000));
    const ptsUs = now > this.#lastPtsUs ? now : this.#lastPtsUs + 1n;
    this.#lastPtsUs = ptsUs;
    const encoded = encoder.encode(pixels, { ptsUs, keyFrame: isStart || isIntra, still: !changed, changed: areas });
    if (encoded.config) packets.push({ type: "config", data: encoded.config });
    packets.push({ type: "frame", keyFrame: encoded.keyFrame, ptsUs, data: encoded.data });
    return packets;
  }

  /** Frees encoder and picture after a while without changes. */
  #rest(): VideoPacket[] {
    this.#restAtMs = undefined;
    this.#encoder?.close();
    this.#encoder = undefined;
    this.#device.display.rest(this);
    return [];
  }

  /** A session packet if the client does not know this size yet. */
  #sessionOf(size: { width: number; height: number }): VideoPacket[] {
    if (size.width === this.#size?.width && size.height === this.#size.height) return [];
    this.#size = size;
    return [{ type: "session", ...size, clientResized: false }];
  }

  /** The encoder for a screen of this size. Adds a session packet if the client does not know the size yet. */
  #encoderFor(sourceWidth: number, sourceHeight: number, packets: VideoPacket[]): H264Encoder {
    const held = this.#encoder;
    if (held?.options.sourceWidth === sourceWidth && held.options.sourceHeight === sourceHeight) return held;
    held?.close();
    this.#device.display.hold(this);
    const size = videoSize(sourceWidth, sourceHeight, this.#options.maxSize);
    packets.push(...this.#sessionOf(size));
    const fps = Math.max(1, Math.round(1000 / this.#intervalMs));
    this.#encoder = new H264Encoder({ sourceWidth, sourceHeight, ...size, bitRate: this.#options.videoBitRate, fps });
    return this.#encoder;
  }
}

const onAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
