import type { ControlMessage, VideoFrame, VideoPacket } from "@terrarium/scrcpy";

/** The video's size in pixels; width and height swap when the device turns. */
export interface VideoSize {
  width: number;
  height: number;
}

/** A packet of opus, as the device sent it. */
export type SoundPacket = Pick<VideoFrame, "ptsUs" | "data">;

/** How the picture is sent; what is not named is as the device's encoder has it. */
export interface StreamShape {
  /** The longer side in pixels, at most. */
  maxSize?: number;
  /** Bits a second. */
  videoBitRate?: number;
  audioBitRate?: number;
}

/** A device's picture, and the control messages back to it: scrcpy, or a fake in tests. */
export interface DisplaySource {
  /** Of the latest packet. */
  readonly size: VideoSize;
  /** The decoder's parameter sets; undefined until the encoder has sent them. */
  readonly config: Uint8Array | undefined;
  /** Calls `listener` with each packet until the returned function is called. */
  watch(listener: (packet: VideoPacket) => void): () => void;
  /** What the machine shows by itself cannot be turned. */
  readonly isFixed?: boolean;
  /** Resolves with whether it gives sound, once it has said so. */
  readonly hasSound?: Promise<boolean>;
  /** Calls `listener` with each packet of sound until the returned function is called. */
  watchSound?(listener: (packet: SoundPacket) => void): () => void;
  /** Calls `listener` with each text copied on the device until the returned function is called. */
  watchClipboard(listener: (text: string) => void): () => void;
  /** Never waits and never throws; does nothing once the display is over. */
  sendControl(message: ControlMessage): void;
  /** Nobody is watching: the display may be closed until the next message. */
  rest?(): void;
  /** Changes the shape of the picture from now on, for everybody. */
  reshape?(change: StreamShape): void;
  /** Whatever shape is asked for, the picture has at most this many bits a second; undefined lifts that. */
  limitBitRate?(bitRate: number | undefined): void;
  /** Aborts, with the reason, when the display is over. */
  readonly gone: AbortSignal;
  /** Closes it and resolves when everything is freed. Safe to call twice. */
  close(): Promise<void>;
}
