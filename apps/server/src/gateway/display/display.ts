import type { Clock } from "@terrarium/clock";
import type { VideoPacket } from "@terrarium/scrcpy";
import { beginsWithParameters } from "./annex-b.ts";
import type { DisplaySource } from "./display-source.ts";

/** A key frame is ten times as long as others, for everybody who watches; asked for in answer to what viewers lost. */
const KEY_FRAME_INTERVAL_MS = 250;
/** A key frame that has not come by then will not; it may be asked for again. */
const KEY_FRAME_TIMEOUT_MS = 1_000;

/** A display that nobody has watched for this long may rest; a reload of the page must not wait for it to wake. */
const REST_MS = 30_000;

/** One picture as it goes to viewers: an access unit in Annex B that, when it is a key frame, tells all that a decoder must know. */
export interface AccessUnit {
  keyFrame: boolean;
  ptsUs: bigint;
  data: Buffer;
}

/** Who watches. It must take each unit without waiting. */
export type UnitSink = (unit: AccessUnit) => void;

/** The picture of a device, encoded once and handed to everybody who watches. */
export class Display {
  readonly #source: DisplaySource;
  readonly #clock: Clock;
  readonly #sinks = new Set<UnitSink>();
  readonly #stopWatching: () => void;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asked = false;
  #waiting = false;
  #units = 0;
  #resting = new AbortController();

  constructor(source: DisplaySource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
    this.#stopWatching = source.watch((packet) => this.#take(packet));
    this.#restLater();
  }

  /** Units that came since the start. */
  get units(): number {
    return this.#units;
  }

  /** Hands each unit to `sink` from now on; the answer ends that. Ask for a key frame to begin with a picture. */
  attach(sink: UnitSink): () => void {
    this.#resting.abort();
    this.#sinks.add(sink);
    return () => {
      if (this.#sinks.delete(sink) && this.#sinks.size === 0) this.#restLater();
    };
  }

  /** Asks the encoder to begin anew. Many asks make one key frame; they are some time apart. */
  requestKeyFrame(): void {
    const now = this.#clock.now();
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
      () => this.#source.rest?.(),
      () => undefined,
    );
  }

  #ask(): void {
    this.#waiting = false;
    this.#asked = true;
    this.#askedAt = this.#clock.now();
    this.#source.sendControl({ type: "resetVideo" });
  }

  #take(packet: VideoPacket): void {
    if (packet.type !== "frame") return;
    this.#units++;
    if (packet.keyFrame) this.#asked = false;
    if (this.#sinks.size === 0) return;
    const { keyFrame, ptsUs } = packet;
    const { config } = this.#source;
    // One copy for all viewers, and only where the encoder does not repeat its parameters by itself.
    const data =
      keyFrame && config && !beginsWithParameters(packet.data)
        ? Buffer.concat([config, packet.data])
        : Buffer.from(packet.data.buffer, packet.data.byteOffset, packet.data.byteLength);
    for (const sink of this.#sinks) sink({ keyFrame, ptsUs, data });
  }
}
