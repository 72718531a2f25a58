import type { ControlMessage, VideoPacket } from "@terrarium/scrcpy";

/** Pixels of the video now; the sides swap when the device turns. */
export interface VideoSize {
  width: number;
  height: number;
}

/** The picture of one device and the way back to it: what scrcpy gives, or a fake that is held by hand. */
export interface DisplaySource {
  /** Of the packet that came last. */
  readonly size: VideoSize;
  /** What a decoder must know before the next key frame; undefined until the encoder said it. */
  readonly config: Uint8Array | undefined;
  /** Calls `listener` with each packet until the answer is called. */
  watch(listener: (packet: VideoPacket) => void): () => void;
  /** Calls `listener` with what was copied on the device until the answer is called. */
  watchClipboard(listener: (text: string) => void): () => void;
  /** Never waits and never throws; when the display is over nothing happens. */
  sendControl(message: ControlMessage): void;
  /** Nobody looks: what an open display costs may be saved until the next message. */
  rest?(): void;
  /** Aborts when the display is over, with the reason. */
  readonly gone: AbortSignal;
  /** Ends it and resolves when nothing of it is left. Safe to call twice. */
  close(): Promise<void>;
}
