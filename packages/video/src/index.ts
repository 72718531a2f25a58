export type { Area } from "./area.ts";
export { H264Encoder } from "./h264-encoder.ts";
export { reserveFrame } from "./reserve-frame.ts";
export { type Shown, type StreamOptions, type Watched, VideoStream } from "./video-stream.ts";
