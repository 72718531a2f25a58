import type { VideoCodec } from "../video/constants.ts";

/** What a client may ask of the server when it starts it; the same defaults as the server's own. */
export interface ServerOptions {
  /** 31 bits that tell sessions on one device apart; -1 for none. */
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
  /** Tells the client of each change of the clipboard. */
  clipboardAutosync: boolean;
  downsizeOnError: boolean;
  /** Undoes its changes of the device's settings when it ends. */
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
