import type { AudioCodec } from "../audio/constants.ts";
import type { VideoCodec } from "../video/constants.ts";

/** The options a client passes to the server, with the server's own defaults. */
export interface ServerOptions {
  /** 31 bits that identify a session on its device; -1 for none. */
  scid: number;
  logLevel: "verbose" | "debug" | "info" | "warn" | "error";
  video: boolean;
  audio: boolean;
  control: boolean;
  /** True: the client connects and the device listens. False: the other way round, through `adb reverse`. */
  tunnelForward: boolean;
  videoCodec: VideoCodec;
  /** Bits a second. */
  videoBitRate: number;
  audioCodec: AudioCodec;
  /** Bits a second. */
  audioBitRate: number;
  /** Seconds between key frames. 0: each frame is one. */
  keyFrameInterval: number;
  /** The longer side in pixels; 0 for no limit. */
  maxSize: number;
  /** Frames a second; 0 for no limit. */
  maxFps: number;
  displayId: number;
  showTouches: boolean;
  stayAwake: boolean;
  /** Turns the screen on when it starts. */
  powerOn: boolean;
  powerOffOnClose: boolean;
  /** Sends the client every change of the clipboard. */
  clipboardAutosync: boolean;
  downsizeOnError: boolean;
  /** Restores the device's settings when it ends, and deletes its own file when it starts. */
  cleanup: boolean;
  sendDeviceMeta: boolean;
  sendFrameMeta: boolean;
  sendDummyByte: boolean;
  sendStreamMeta: boolean;
}

export const defaultServerOptions: Readonly<ServerOptions> = {
  scid: -1,
  logLevel: "debug",
  video: true,
  audio: true,
  control: true,
  tunnelForward: false,
  videoCodec: "h264",
  videoBitRate: 8_000_000,
  audioCodec: "opus",
  audioBitRate: 128_000,
  keyFrameInterval: 10,
  maxSize: 0,
  maxFps: 0,
  displayId: 0,
  showTouches: false,
  stayAwake: false,
  powerOn: true,
  powerOffOnClose: false,
  clipboardAutosync: true,
  downsizeOnError: true,
  cleanup: true,
  sendDeviceMeta: true,
  sendFrameMeta: true,
  sendDummyByte: true,
  sendStreamMeta: true,
};

/** The name of the abstract socket that a session uses. */
export function socketName(scid: number): string {
  return scid === -1 ? "scrcpy" : `scrcpy_${scidHex(scid)}`;
}

/** Eight hexadecimal digits. */
export function scidHex(scid: number): string {
  return scid.toString(16).padStart(8, "0");
}
