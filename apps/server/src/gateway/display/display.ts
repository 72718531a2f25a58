import type { Clock } from "@terrarium/clock";
import type { VideoFrame, VideoPacket } from "@terrarium/scrcpy";
import { beginsWithParameters } from "./annex-b.ts";
import type { DisplaySource } from "./display-source.ts";

/** A key frame is ten times as large as other frames, and every viewer gets it. Viewers' losses ask for more of them. */
const KEY_FRAME_INTERVAL_MS = 250;
/** A key frame that has not come by then is not coming; it may be requested again. */
const KEY_FRAME_TIMEOUT_MS = 1_000;

/** What follows a key frame that is older than this would be shown late: players go by the times of pictures. */
const FRESH_MS = 1_000;

/** A display may rest after nobody has watched for this long: reloading a page must not have to wake it. */
const REST_MS = 30_000;

/** One picture on its way to viewers: an Annex B access unit. Key frames include the parameter sets a decoder needs. */
export interface AccessUnit {
  keyFrame: boolean;
  ptsUs: bigint;
  data: Buffer;
}

/** Receives each unit; must not wait. */
export type UnitSink = (unit: AccessUnit) => void;

/** A device's picture, encoded once and handed to all viewers. */
export class Display {
  readonly #source: DisplaySource;
  readonly #clock: Clock;
  readonly #sinks = new Set<UnitSink>();
  readonly #stopWatching: () => void;
  readonly #onRest: () => void;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asked = false;
  #waiting = false;
  #units = 0;
  /** The latest unit, if it shows the screen by itself. */
  #fresh: { unit: AccessUnit; at: number } | undefined;
  #resting = new AbortController();

  /** `onRest` is called when nobody has watched for a while. */
  constructor(source: DisplaySource, clock: Clock, onRest: () => void = () => undefined) {
    this.#source = source;
    this.#clock = clock;
    this.#onRest = onRest;
    this.#stopWatching = source.watch((packet) => this.#take(packet));
    this.#restLater();
  }

  /** Units received since the start. */
  get units(): number {
    return this.#units;
  }

  /**
   * Hands each unit to `sink` until the returned function is called, and at once the key frame that has just come, as of a display
   * that was just opened. Where there is none, request one to start with a picture.
   */
  attach(sink: UnitSink): () => void {
    this.#resting.abort();
    this.#sinks.add(sink);
    if (this.#fresh && this.#clock.monotonic() - this.#fresh.at < FRESH_MS) sink(this.#fresh.unit);
    return () => {
      if (this.#sinks.delete(sink) && this.#sinks.size === 0) this.#restLater();
    };
  }

  /** Asks the encoder for a key frame. Requests that come close together are answered by one. */
  requestKeyFrame(): void {
    const now = this.#clock.monotonic();
    if (this.#waiting || (this.#asked && now - this.#askedAt < KEY_FRAME_TIMEOUT_MS)) return;
    const early = this.#askedAt + KEY_FRAME_INTERVAL_MS - now;
    if (early <= 0) return this.#ask();
    this.#waiting = true;
    this.#clock.sleep(early, this.#source.gone).then(
      () => this.#ask(),
      () => undefined,
    );
  }

  stop(): void {
    this.#resting.abort();
    this.#stopWatching();
    this.#sinks.clear();
  }

  #restLater(): void {
    this.#resting = new AbortController();
    this.#clock.sleep(REST_MS, AbortSignal.any([this.#source.gone, this.#resting.signal])).then(
      () => {
        this.#source.rest?.();
        this.#onRest();
      },
      () => undefined,
    );
  }

  #ask(): void {
    this.#waiting = false;
    this.#asked = true;
    this.#askedAt = this.#clock.monotonic();
    this.#source.sendControl({ type: "resetVideo" });
  }

  #take(packet: VideoPacket): void {
    if (packet.type !== "frame") return;
    this.#units++;
    if (packet.keyFrame) this.#asked = false;
    else this.#fresh = undefined;
    if (this.#sinks.size === 0 && !packet.keyFrame) return;
    const unit = unitOf(packet, this.#source.config);
    if (packet.keyFrame) this.#fresh = { unit, at: this.#clock.monotonic() };
    for (const sink of this.#sinks) sink(unit);
  }
}

/** A frame as viewers get it. It is copied only if the encoder does not repeat its parameter sets, `config`, itself. */
export function unitOf({ keyFrame, ptsUs, data: frame }: VideoFrame, config: Uint8Array | undefined): AccessUnit {
  const data =
    keyFrame && config && !beginsWithParameters(frame)
      ? Buffer.concat([config, frame])
      : Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  return { keyFrame, ptsUs, data };
}
