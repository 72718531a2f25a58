import type { Clock } from "@terrarium/clock";
import type { ControlMessage, VideoPacket } from "@terrarium/scrcpy";
import type { DisplaySource, SoundPacket, StreamShape, VideoSize } from "./display-source.ts";
import { Listeners } from "./listeners.ts";
import { SteadyTime } from "./steady-time.ts";

/** Input buffered while the display reopens; a hand cannot produce more in that time. */
const MAX_HELD_MESSAGES = 64;

/** Opens the display again; the signal cancels that. */
export type Reopen = (signal: AbortSignal, shape: StreamShape) => Promise<DisplaySource>;

const asIs: StreamShape = {};

/**
 * A display that closes while nobody is watching and reopens on the next message. An open display occupies an encoder, and the device
 * repaints for it even if only the clock changes. It also reopens when its stream is to have another shape. `gone` aborts only when the
 * display ends unasked.
 */
export class RestingSource implements DisplaySource {
  readonly #reopen: Reopen;
  readonly #packets = new Listeners<VideoPacket>();
  readonly #sounds = new Listeners<SoundPacket>();
  readonly #clipboard = new Listeners<string>();
  readonly #over = new AbortController();
  #source: DisplaySource | undefined;
  #waking: Promise<void> | undefined;
  #held: ControlMessage[] = [];
  #size: VideoSize;
  /** What was asked for, and what the stream has: no more than the limit. */
  #asked = asIs;
  #limit: number | undefined;
  #shape = asIs;
  /** Controllers that are plugged in: each display has to be sent them. */
  readonly #controllers = new Map<number, ControlMessage>();
  /** A display that was reopened counts from 0 again, but viewers' streams go on. */
  readonly #pictureTime: SteadyTime;
  readonly #soundTime: SteadyTime;
  readonly hasSound: Promise<boolean>;
  readonly isFixed: boolean;

  constructor(first: DisplaySource, reopen: Reopen, clock: Clock) {
    this.#reopen = reopen;
    this.#pictureTime = new SteadyTime(clock);
    this.#soundTime = new SteadyTime(clock);
    this.isFixed = first.isFixed ?? false;
    this.hasSound = first.hasSound ?? Promise.resolve(false);
    this.#size = first.size;
    this.#take(first);
  }

  get gone(): AbortSignal {
    return this.#over.signal;
  }

  get size(): VideoSize {
    return this.#source?.size ?? this.#size;
  }

  get config(): Uint8Array | undefined {
    return this.#source?.config;
  }

  watch(listener: (packet: VideoPacket) => void): () => void {
    return this.#packets.add(listener);
  }

  watchSound(listener: (packet: SoundPacket) => void): () => void {
    return this.#sounds.add(listener);
  }

  watchClipboard(listener: (text: string) => void): () => void {
    return this.#clipboard.add(listener);
  }

  sendControl(message: ControlMessage): void {
    if (this.gone.aborted) return;
    if (message.type === "uhidCreate") this.#controllers.set(message.id, message);
    if (message.type === "uhidDestroy") this.#controllers.delete(message.id);
    if (this.#source) return this.#source.sendControl(message);
    // A display that was just opened starts with a key frame anyway.
    if (message.type !== "resetVideo" && this.#held.length < MAX_HELD_MESSAGES) this.#held.push(message);
    this.#waking ??= this.#wake();
  }

  rest(): void {
    this.#asked = asIs;
    this.#limit = undefined;
    this.#shape = asIs;
    this.#closeSource();
  }

  reshape(change: StreamShape): void {
    const wanted = Object.entries({ ...this.#asked, ...change }).filter(([, value]) => value !== undefined);
    this.#asked = Object.fromEntries(wanted);
    this.#fit();
  }

  limitBitRate(bitRate: number | undefined): void {
    this.#limit = bitRate;
    this.#fit();
  }

  /** Reopens it if its stream is to have another shape now. */
  #fit(): void {
    const { videoBitRate = Number.POSITIVE_INFINITY } = this.#asked;
    const isLimited = this.#limit !== undefined && this.#limit < videoBitRate;
    const shape = isLimited ? { ...this.#asked, videoBitRate: this.#limit } : this.#asked;
    if (this.gone.aborted || isSame(shape, this.#shape)) return;
    this.#shape = shape;
    this.#closeSource();
    this.#waking ??= this.#wake();
  }

  async close(): Promise<void> {
    this.#over.abort(new Error("the display was closed"));
    await this.#waking;
    await this.#source?.close();
  }

  #closeSource(): void {
    const source = this.#source;
    if (!source || this.gone.aborted) return;
    this.#size = source.size;
    this.#source = undefined;
    void source.close();
  }

  async #wake(): Promise<void> {
    try {
      const source = await this.#open();
      if (this.gone.aborted) return await source.close();
      this.#take(source);
      for (const message of this.#controllers.values()) source.sendControl(message);
      for (const message of this.#held) if (message.type !== "uhidCreate") source.sendControl(message);
    } catch (error) {
      this.#over.abort(error);
    } finally {
      this.#held = [];
      this.#waking = undefined;
    }
  }

  /** In the shape that is wanted by the time it is open. */
  async #open(): Promise<DisplaySource> {
    for (;;) {
      const shape = this.#shape;
      const source = await this.#reopen(this.gone, shape);
      if (shape === this.#shape || this.gone.aborted) return source;
      await source.close();
    }
  }

  #take(source: DisplaySource): void {
    this.#source = source;
    const pictureTime = this.#pictureTime.next();
    const soundTime = this.#soundTime.next();
    source.watch((packet) =>
      this.#packets.notify(packet.type === "frame" ? { ...packet, ptsUs: pictureTime(packet.ptsUs) } : packet),
    );
    source.watchSound?.(({ ptsUs, data }) => this.#sounds.notify({ ptsUs: soundTime(ptsUs), data }));
    source.watchClipboard((text) => this.#clipboard.notify(text));
    const end = () => {
      // A resting display was closed on purpose.
      if (this.#source === source) this.#over.abort(source.gone.reason);
    };
    if (source.gone.aborted) end();
    else source.gone.addEventListener("abort", end, { once: true });
  }
}

const isSame = (one: StreamShape, other: StreamShape): boolean =>
  one.maxSize === other.maxSize && one.videoBitRate === other.videoBitRate && one.audioBitRate === other.audioBitRate;
