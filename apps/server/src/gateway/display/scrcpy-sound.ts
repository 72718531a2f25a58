import type { ByteStream } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import { AudioReader } from "@terrarium/scrcpy";
import { RateWindow } from "../rate-window.ts";
import type { SoundPacket } from "./display-source.ts";
import { Listeners } from "./listeners.ts";

/** Twenty times an encoder's bit rate, and four times its packets. A device that sends more is slowed down. */
const MAX_BYTES_PER_SECOND = 512 * 1024;
/** What a packet costs on top of its bytes. */
const PACKET_BYTES = 2 * 1024;
const WINDOW_MS = 1_000;
/** A device that has not said by then whether it gives sound is taken for one that does not: viewers wait for the answer. */
const SAY_MS = 2_000;
/** The largest packet of opus for 20 ms. It has to fit into one of the network's. */
const MAX_PACKET_BYTES = 1_275;

/**
 * The sound of one scrcpy session, read on its own: whatever happens to it, the picture goes on. If it cannot be used it is read anyway, as
 * one stream that nobody reads stalls the others of its adb connection.
 */
export class ScrcpySound {
  readonly has: Promise<boolean>;
  readonly #has = Promise.withResolvers<boolean>();
  readonly #packets = new Listeners<SoundPacket>();
  readonly #clock: Clock;
  readonly #gone: AbortSignal;
  readonly #traffic = new RateWindow(WINDOW_MS);

  /** @param stream undefined if no sound was asked for. */
  constructor(stream: ByteStream | undefined, clock: Clock, gone: AbortSignal) {
    this.has = this.#has.promise;
    this.#clock = clock;
    this.#gone = gone;
    const none = () => this.#has.resolve(false);
    if (stream) {
      const said = new AbortController();
      clock.sleep(SAY_MS, AbortSignal.any([gone, said.signal])).then(none, none);
      void this.has.then(() => said.abort());
      this.#read(stream).then(none, none);
    } else none();
  }

  watch(listener: (packet: SoundPacket) => void): () => void {
    return this.#packets.add(listener);
  }

  async #read(stream: ByteStream): Promise<void> {
    const reader = new AudioReader();
    let isUsable = true;
    for await (const chunk of stream) {
      try {
        if (isUsable) isUsable = this.#take(reader, chunk);
      } catch {
        isUsable = false;
      }
      if (!isUsable) this.#has.resolve(false);
      const sent = this.#traffic.add(PACKET_BYTES + chunk.length, this.#clock.monotonic());
      if (sent > MAX_BYTES_PER_SECOND) await this.#clock.sleep(WINDOW_MS, this.#gone);
    }
  }

  /** Whether what follows is sound. */
  #take(reader: AudioReader, chunk: Uint8Array): boolean {
    for (const event of reader.push(chunk)) {
      if (event.type === "codec" && event.codec !== "opus") return false;
      if (event.type === "codec") this.#has.resolve(true);
      if (event.type === "frame" && event.data.length <= MAX_PACKET_BYTES) this.#packets.notify(event);
    }
    return true;
  }
}
