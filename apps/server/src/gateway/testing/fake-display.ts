import type { ControlMessage, VideoPacket } from "@terrarium/scrcpy";
import type { DisplaySource, VideoSize } from "../display/display-source.ts";
import { Listeners } from "../display/listeners.ts";

/** A display that is held by hand: it shows what it is told to and remembers what it was sent. */
export class FakeDisplay implements DisplaySource {
  size: VideoSize = { width: 720, height: 1280 };
  config: Uint8Array | undefined;
  readonly controls: ControlMessage[] = [];
  readonly #packets = new Listeners<VideoPacket>();
  readonly #clipboard = new Listeners<string>();
  readonly #over = new AbortController();
  #onControl: (message: ControlMessage) => void = () => undefined;

  get gone(): AbortSignal {
    return this.#over.signal;
  }

  watch(listener: (packet: VideoPacket) => void): () => void {
    return this.#packets.add(listener);
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

  /** Hears each control message; one listener. */
  onControl(listener: (message: ControlMessage) => void): void {
    this.#onControl = listener;
  }

  /** What was sent of one kind, `resetVideo` or `touch`. */
  sent<Type extends ControlMessage["type"]>(type: Type): Extract<ControlMessage, { type: Type }>[] {
    return this.controls.filter((message): message is Extract<ControlMessage, { type: Type }> => message.type === type);
  }

  show(packet: VideoPacket): void {
    this.#packets.tell(packet);
  }

  frame(keyFrame: boolean, ptsUs: bigint, data: Uint8Array): void {
    this.show({ type: "frame", keyFrame, ptsUs, data });
  }

  copy(text: string): void {
    this.#clipboard.tell(text);
  }

  end(reason: Error): void {
    this.#over.abort(reason);
  }
}
