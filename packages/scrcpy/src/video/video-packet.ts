import type { VideoCodec } from "./constants.ts";

/** The size of the frames that follow. Sent first, and again on each change, such as a rotation. */
export interface VideoSession {
  type: "session";
  /** Pixels. */
  width: number;
  height: number;
  /** True when the client asked for this size by `resizeDisplay`. */
  clientResized: boolean;
}

/** What a decoder needs first: for H.264 the SPS and PPS, in Annex B. */
export interface VideoConfig {
  type: "config";
  data: Uint8Array;
}

/** One access unit in Annex B. */
export interface VideoFrame {
  type: "frame";
  keyFrame: boolean;
  /** Microseconds on the device's own clock. */
  ptsUs: bigint;
  data: Uint8Array;
}

/** What has data: sound comes in packets of the same form. */
export type MediaPacket = VideoConfig | VideoFrame;

export type VideoPacket = VideoSession | MediaPacket;

/** Everything on the video socket, in order: the device once, the codec once, then packets. */
export type VideoEvent = { type: "device"; name: string } | { type: "codec"; codec: VideoCodec } | VideoPacket;
