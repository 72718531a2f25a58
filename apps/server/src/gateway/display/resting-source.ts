import type { ControlMessage, VideoPacket } from "@terrarium/scrcpy";
import type { DisplaySource, VideoSize } from "./display-source.ts";
import { Listeners } from "./listeners.ts";

/** Input buffered while the display reopens; a hand cannot produce more in that time. */
const MAX_HELD_MESSAGES = 64;

/** Opens the display again; the signal cancels that. */
export type Reopen = (signal: AbortSignal) => Promise<DisplaySource>;

/**
 * A display that closes while nobody is watching and reopens on the next message. An open display occupies an encoder, and
 * the device keeps repainting for it even if only the clock changes. `gone` aborts only when the display ends unasked.
 */
export class RestingSource implements DisplaySource {
  readonly #reopen: Reopen;
  readonly #packets = new Listeners<VideoPacket>();
  readonly #clipboard = new Listeners<string>();
  readonly #over = new AbortController();
  #source: DisplaySource | undefined;
  #waking: Promise<void> | undefined;
  #held: ControlMessage[] = [];
  #size: VideoSize;

  constructor(first: DisplaySource, reopen: Reopen) {
    this.#reopen = reopen;
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

  watchClipboard(listener: (text: string) => void): () => void {
    return this.#clipboard.add(listener);
  }

  sendControl(message: ControlMessage): void {
    if (this.gone.aborted) return;
    if (this.#source) return this.#source.sendControl(message);
    // A display that was just opened starts with a key frame anyway.
    if (message.type !== "resetVideo" && this.#held.length < MAX_HELD_MESSAGES) this.#held.push(message);
    this.#waking ??= this.#wake();
  }

  rest(): void {
    const source = this.#source;
    if (!source || this.gone.aborted) return;
    this.#size = source.size;
    this.#source = undefined;
    void source.close();
  }

  async close(): Promise<void> {
    this.#over.abort(new Error("the display was closed"));
    await this.#waking;
    await this.#source?.close();
  }

  async #wake(): Promise<void> {
    try {
      const source = await this.#reopen(this.gone);
      if (this.gone.aborted) return await source.close();
      this.#take(source);
      for (const message of this.#held) source.sendControl(message);
    } catch (error) {
      this.#over.abort(error);
    } finally {
      this.#held = [];
      this.#waking = undefined;
    }
  }

  #take(source: DisplaySource): void {
    this.#source = source;
    source.watch((packet) => this.#packets.notify(packet));
    source.watchClipboard((text) => this.#clipboard.notify(text));
    const end = () => {
      // A resting display was closed on purpose.
      if (this.#source === source) this.#over.abort(source.gone.reason);
    };
    if (source.gone.aborted) end();
    else source.gone.addEventListener("abort", end, { once: true });
  }
}
