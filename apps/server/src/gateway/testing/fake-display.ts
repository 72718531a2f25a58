import type { ControlMessage, VideoPacket } from "@terrarium/scrcpy";
import type { DisplaySource, SoundPacket, VideoSize } from "../display/display-source.ts";
import { Listeners } from "../display/listeners.ts";

/** A display controlled by the test: shows what the test wants and records what it was sent. */
export class FakeDisplay implements DisplaySource {
  size: VideoSize = { width: 720, height: 1280 };
  config: Uint8Array | undefined;
  readonly controls: ControlMessage[] = [];
  readonly #packets = new Listeners<VideoPacket>();
  /** What it says of its sound. */
  hasSound = Promise.resolve(false);
  readonly #sounds = new Listeners<SoundPacket>();
  readonly #clipboard = new Listeners<string>();
  readonly #over = new AbortController();
  #onControl: (message: ControlMessage) => void = () => undefined;

  get gone(): AbortSignal {
    return this.#over.signal;
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
    this.controls.push(message);
    this.#onControl(message);
  }

  async close(): Promise<void> {
    this.end(new Error("closed"));
  }

  /** Calls `listener` with each control message; there is one listener. */
  onControl(listener: (message: ControlMessage) => void): void {
    this.#onControl = listener;
  }

  /** The messages sent of one type, such as `touch`. */
  sent<Type extends ControlMessage["type"]>(type: Type): Extract<ControlMessage, { type: Type }>[] {
    return this.controls.filter((message): message is Extract<ControlMessage, { type: Type }> => message.type === type);
  }

  show(packet: VideoPacket): void {
    this.#packets.notify(packet);
  }

  frame(keyFrame: boolean, ptsUs: bigint, data: Uint8Array): void {
    this.show({ type: "frame", keyFrame, ptsUs, data });
  }

  sound(ptsUs: bigint, data: Uint8Array): void {
    this.#sounds.notify({ ptsUs, data });
  }

  copy(text: string): void {
    this.#clipboard.notify(text);
  }

  end(reason: Error): void {
    this.#over.abort(reason);
  }
}
