import type { ByteStream } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import {
  type ControlMessage,
  DeviceMessageReader,
  ScrcpyError,
  type VideoEvent,
  type VideoPacket,
  VideoReader,
} from "@terrarium/scrcpy";
import type { Cleanup } from "../../platform/clean-up.ts";
import type { Logger } from "../../platform/log.ts";
import { RateWindow } from "../rate-window.ts";
import { ControlWriter } from "./control-writer.ts";
import type { DisplaySource, SoundPacket, VideoSize } from "./display-source.ts";
import { Listeners } from "./listeners.ts";
import { ScrcpySound } from "./scrcpy-sound.ts";

/** Whoever opens a display watches it at once; only a few packets arrive before that. */
const MAX_EARLY_PACKETS = 16;

/** Eight times an encoder's bit rate. A device that sends more is slowed down, because this process serves others too. */
const MAX_BYTES_PER_SECOND = 8 * 1024 * 1024;
/** What a packet costs on top of its bytes: a thousand empty packets use up the budget of a second. */
const PACKET_BYTES = 8 * 1024;
const WINDOW_MS = 1_000;

/** Takes messages to the device, and gives its own. */
export type ControlStream = AsyncIterable<Uint8Array> & Pick<ByteStream, "write">;

export interface ScrcpySockets {
  video: Pick<ByteStream, "read">;
  /** What has already been read from the video socket, including its dummy byte. */
  first: Uint8Array;
  /** Undefined in a session without sound. */
  audio?: ByteStream | undefined;
  /** Undefined in a session that only shows. */
  control: ControlStream | undefined;
  /** Aborts when the server or one of the sockets is over. */
  over: AbortController;
  /** Closes the sockets and ends the server. */
  cleanup: Cleanup;
  isFixed?: boolean;
  clock: Clock;
  log: Logger;
}

/** The display and the input of one device through scrcpy. */
export class ScrcpySession implements DisplaySource {
  readonly gone: AbortSignal;
  readonly #sockets: ScrcpySockets;
  readonly #writer: ControlWriter | undefined;
  readonly #sound: ScrcpySound;
  readonly #packets = new Listeners<VideoPacket>();
  readonly #clipboard = new Listeners<string>();
  readonly #sized = Promise.withResolvers<void>();
  #size: VideoSize = { width: 0, height: 0 };
  #config: Uint8Array | undefined;
  readonly #traffic = new RateWindow(WINDOW_MS);
  /** Packets from before anyone watched; the first key frame is often among them. */
  #early: VideoPacket[] | undefined = [];

  constructor(sockets: ScrcpySockets) {
    this.#sockets = sockets;
    this.gone = sockets.over.signal;
    this.#writer = sockets.control && new ControlWriter(sockets.control, (error) => this.#end(error));
    this.#sound = new ScrcpySound(sockets.audio, sockets.clock, this.gone);
    this.gone.addEventListener("abort", () => void this.close(), { once: true });
    this.#read(this.#readVideo());
    if (sockets.control) this.#read(this.#readControl(sockets.control));
  }

  get isFixed(): boolean {
    return this.#sockets.isFixed ?? false;
  }

  get size(): VideoSize {
    return this.#size;
  }

  get config(): Uint8Array | undefined {
    return this.#config;
  }

  /** Resolves when the size of the video is known; rejects with the signal's reason. */
  async started(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const stop = () => this.#sized.reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    await this.#sized.promise.finally(() => signal.removeEventListener("abort", stop));
  }

  watch(listener: (packet: VideoPacket) => void): () => void {
    for (const packet of this.#early ?? []) listener(packet);
    this.#early = undefined;
    return this.#packets.add(listener);
  }

  get hasSound(): Promise<boolean> {
    return this.#sound.has;
  }

  watchSound(listener: (packet: SoundPacket) => void): () => void {
    return this.#sound.watch(listener);
  }

  watchClipboard(listener: (text: string) => void): () => void {
    return this.#clipboard.add(listener);
  }

  sendControl(message: ControlMessage): void {
    if (!this.gone.aborted) this.#writer?.send(message);
  }

  async close(): Promise<void> {
    this.#end(new Error("the display was closed"));
    await this.#sockets.cleanup.run();
  }

  async #readVideo(): Promise<void> {
    const reader = new VideoReader({ dummyByte: true });
    const { video, first } = this.#sockets;
    for (let chunk: Uint8Array | undefined = first; chunk; chunk = await video.read())
      for (const event of reader.push(chunk)) {
        this.#take(event);
        if (this.#isFlooded("data" in event ? event.data.length : 0)) await this.#nextWindow();
      }
  }

  async #readControl(control: ControlStream): Promise<void> {
    const reader = new DeviceMessageReader();
    for await (const chunk of control)
      for (const message of reader.push(chunk)) {
        if (message.type !== "clipboard") continue;
        this.#clipboard.notify(message.text);
        if (this.#isFlooded(message.text.length)) await this.#nextWindow();
      }
  }

  /** Whether the device sends more than it may. */
  #isFlooded(bytes: number): boolean {
    return this.#traffic.add(PACKET_BYTES + bytes, this.#sockets.clock.monotonic()) > MAX_BYTES_PER_SECOND;
  }

  /** What is not read meanwhile is not sent either: adb has a packet or two on the way. */
  #nextWindow(): Promise<void> {
    return this.#sockets.clock.sleep(WINDOW_MS, this.gone);
  }

  #take(event: VideoEvent): void {
    switch (event.type) {
      case "device":
        return;
      case "codec":
        if (event.codec !== "h264") throw new ScrcpyError("STREAM_REFUSED", `the device encodes ${event.codec}`);
        return;
      case "session":
        this.#size = { width: event.width, height: event.height };
        this.#sized.resolve();
        break;
      case "config":
        this.#config = event.data;
        break;
      default:
        break;
    }
    if (this.#early && this.#early.length < MAX_EARLY_PACKETS) this.#early.push(event);
    this.#packets.notify(event);
  }

  /** The end of either socket ends the session. */
  #read(reading: Promise<void>): void {
    reading.then(
      () => this.#end(new Error("the device closed the display")),
      (error: unknown) => this.#end(error),
    );
  }

  #end(reason: unknown): void {
    if (this.gone.aborted) return;
    this.#sockets.log.debug({ err: reason }, "the display is over");
    this.#sockets.over.abort(reason);
  }
}
