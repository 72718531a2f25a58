import { audioCodecIds } from "../audio/constants.ts";
import { ScrcpyError } from "../errors.ts";
import { SCRCPY_VERSION } from "../version.ts";
import { videoCodecIds } from "../video/constants.ts";
import { defaultServerOptions, scidHex, type ServerOptions } from "./server-options.ts";

/** Where the client puts the server on the device. */
export const SERVER_PATH = "/data/local/tmp/scrcpy-server.jar";

const MAIN_CLASS = "com.genymobile.scrcpy.Server";

const flags = {
  video: "video",
  audio: "audio",
  control: "control",
  tunnel_forward: "tunnelForward",
  show_touches: "showTouches",
  stay_awake: "stayAwake",
  power_on: "powerOn",
  power_off_on_close: "powerOffOnClose",
  clipboard_autosync: "clipboardAutosync",
  downsize_on_error: "downsizeOnError",
  cleanup: "cleanup",
  send_device_meta: "sendDeviceMeta",
  send_frame_meta: "sendFrameMeta",
  send_dummy_byte: "sendDummyByte",
  send_stream_meta: "sendStreamMeta",
} as const;

const numbers = {
  video_bit_rate: "videoBitRate",
  audio_bit_rate: "audioBitRate",
  max_size: "maxSize",
  max_fps: "maxFps",
  display_id: "displayId",
} as const;

/** Android's name for it among the options of an encoder (`MediaFormat.KEY_I_FRAME_INTERVAL`). */
const KEY_FRAME_INTERVAL = "i-frame-interval";

const logLevels: ReadonlySet<string> = new Set(["verbose", "debug", "info", "warn", "error"]);

/**
 * The shell command that starts the server. Like scrcpy's own client it lists only options that differ from their default.
 * None of its words needs quoting.
 */
export function serverCommand(options: Partial<ServerOptions>): string {
  const words = [`CLASSPATH=${SERVER_PATH}`, "app_process", "/", MAIN_CLASS, SCRCPY_VERSION];
  const all = { ...defaultServerOptions, ...options };
  if (all.scid !== -1) words.push(`scid=${scidHex(all.scid)}`);
  if (all.logLevel !== defaultServerOptions.logLevel) words.push(`log_level=${all.logLevel}`);
  if (all.videoCodec !== defaultServerOptions.videoCodec) words.push(`video_codec=${all.videoCodec}`);
  if (all.audioCodec !== defaultServerOptions.audioCodec) words.push(`audio_codec=${all.audioCodec}`);
  for (const [key, name] of [...Object.entries(flags), ...Object.entries(numbers)])
    if (all[name] !== defaultServerOptions[name]) words.push(`${key}=${all[name]}`);
  if (all.keyFrameInterval !== defaultServerOptions.keyFrameInterval)
    words.push(`video_codec_options=${KEY_FRAME_INTERVAL}=${all.keyFrameInterval}`);
  return words.join(" ");
}

/** The words after the main class in a command that starts the server, version first; undefined for any other command. */
export function serverArguments(command: string): string[] | undefined {
  const words = command.trim().split(/\s+/);
  const at = words.indexOf(MAIN_CLASS);
  return at > 0 && words.includes("app_process") ? words.slice(at + 1) : undefined;
}

/**
 * Parses the words after the main class as the server does, ignoring unknown keys. Throws `ScrcpyError` `SCRCPY_VERSION` for
 * a client of another version and `INVALID_ARGUMENT` for an invalid value.
 */
export function parseServerArguments([version, ...pairs]: readonly string[]): ServerOptions {
  if (version !== SCRCPY_VERSION)
    throw new ScrcpyError(
      "SCRCPY_VERSION",
      `The server version (${SCRCPY_VERSION}) does not match the client (${version ?? "none"})`,
    );
  const options = { ...defaultServerOptions };
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    if (equals < 0) throw new ScrcpyError("INVALID_ARGUMENT", `Invalid key=value pair: "${pair}"`);
    readOption(options, pair.slice(0, equals), pair.slice(equals + 1));
  }
  return options;
}

function readOption(options: ServerOptions, key: string, value: string): void {
  // The server's own parser treats everything except "true" as false.
  if (isKey(flags, key)) options[flags[key]] = value.toLowerCase() === "true";
  else if (isKey(numbers, key)) options[numbers[key]] = readNumber(key, value);
  else if (key === "scid") options.scid = readScid(value);
  else if (key === "video_codec_options") options.keyFrameInterval = readKeyFrameInterval(value);
  else if (key === "log_level") {
    if (!logLevels.has(value)) throw invalid(key, value);
    options.logLevel = value as ServerOptions["logLevel"];
  } else if (key === "video_codec") {
    if (!isKey(videoCodecIds, value)) throw invalid(key, value);
    options.videoCodec = value;
  } else if (key === "audio_codec") {
    if (!isKey(audioCodecIds, value)) throw invalid(key, value);
    options.audioCodec = value;
  } else if (key === "raw_stream" && value.toLowerCase() === "true")
    Object.assign(options, {
      sendDeviceMeta: false,
      sendFrameMeta: false,
      sendDummyByte: false,
      sendStreamMeta: false,
    });
}

function readNumber(key: string, value: string): number {
  const number = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || number > 0x7fffffff) throw invalid(key, value);
  return number;
}

/** Of the encoder's options, `key[:type]=value,...`; the others mean nothing to a simulated encoder. */
function readKeyFrameInterval(list: string): number {
  const option = list.split(",").find((word) => word.split(/[:=]/, 1)[0] === KEY_FRAME_INTERVAL);
  return option === undefined
    ? defaultServerOptions.keyFrameInterval
    : readNumber(KEY_FRAME_INTERVAL, option.slice(option.indexOf("=") + 1));
}

function readScid(value: string): number {
  if (value === "-1") return -1;
  if (!/^[0-9a-f]{1,8}$/i.test(value) || Number.parseInt(value, 16) > 0x7fffffff) throw invalid("scid", value);
  return Number.parseInt(value, 16);
}

function isKey<Table extends object>(table: Table, key: string): key is Extract<keyof Table, string> {
  return Object.hasOwn(table, key);
}

function invalid(key: string, value: string): ScrcpyError {
  return new ScrcpyError("INVALID_ARGUMENT", `${key} cannot be "${value}"`);
}
