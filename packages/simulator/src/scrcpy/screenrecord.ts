import { defaultServerOptions, type VideoPacket } from "@terrarium/scrcpy";
import { Mp4File } from "../encoder/mp4-file.ts";
import { type Commands, type Invocation, pathOf, UsageError } from "../shell/invocation.ts";
import { VideoStream } from "@terrarium/video";

const MAX_SECONDS = 180;
const DEFAULT_BIT_RATE = 20_000_000;
const MIN_BIT_RATE = 100_000;
const MAX_BIT_RATE = 200_000_000;
const INVALID = 2;

interface Options {
  seconds: number;
  bitRate: number;
  /** The longer side of the video in pixels; 0 for that of the screen. */
  maxSize: number;
  /** H.264 alone, as Annex B, rather than an MP4. */
  isRaw: boolean;
  /** `-` is the output of the command. */
  path: string;
}

function optionsOf(call: Invocation): Options {
  const options = { seconds: MAX_SECONDS, bitRate: DEFAULT_BIT_RATE, maxSize: 0, isRaw: false };
  const words = call.args.flatMap((arg) => (/^--[a-z-]+=/.test(arg) ? arg.split("=") : [arg]));
  while (words[0]?.startsWith("--")) {
    const name = words.shift()!;
    if (name === "--verbose") continue;
    const value = words.shift() ?? "";
    if (name === "--time-limit") {
      options.seconds = Number(value);
      if (!/^\d+$/.test(value) || options.seconds < 1 || options.seconds > MAX_SECONDS)
        throw new UsageError(`Time limit ${value}s outside acceptable range [1,${MAX_SECONDS}]`, INVALID);
    } else if (name === "--bit-rate") {
      options.bitRate = Number(value.replace(/M$/i, "")) * (/M$/i.test(value) ? 1_000_000 : 1);
      if (!(options.bitRate >= MIN_BIT_RATE && options.bitRate <= MAX_BIT_RATE))
        throw new UsageError(
          `Bit rate ${value}bps outside acceptable range [${MIN_BIT_RATE},${MAX_BIT_RATE}]`,
          INVALID,
        );
    } else if (name === "--size") {
      const size = /^(\d{1,4})x(\d{1,4})$/.exec(value);
      options.maxSize = Math.max(Number(size?.[1] ?? 0), Number(size?.[2] ?? 0));
      if (options.maxSize === 0) throw new UsageError(`Invalid size '${value}', must be width x height`, INVALID);
    } else if (name === "--output-format" && (value === "mp4" || value === "h264")) options.isRaw = value === "h264";
    else
      throw new UsageError(
        `${name}${name === "--output-format" ? ` ${value}` : ""} is not supported by a simulated device`,
        INVALID,
      );
  }
  const [shown] = words;
  if (shown === undefined || words.length > 1) throw new UsageError("Must specify output file (see --help).", INVALID);
  // An MP4 is not complete before its end, so Android writes none to its output either.
  if (shown === "-" && !options.isRaw) throw new UsageError("only --output-format=h264 can go to the output", INVALID);
  return { ...options, path: shown === "-" ? shown : pathOf(call, shown) };
}

type Write = (bytes: Uint8Array) => Promise<void> | void;

/**
 * Records until the signal aborts, the display turns or the disk is full. With `writeRaw` the video goes there; else the MP4 is
 * returned, or undefined if nothing was painted.
 */
async function record(
  { device }: Invocation,
  { bitRate, maxSize }: Options,
  stop: AbortController,
  writeRaw: Write | undefined,
): Promise<Mp4File | undefined> {
  const stream = new VideoStream(device, { ...defaultServerOptions, videoBitRate: bitRate, maxSize });
  const uptimeUs = () => BigInt(Math.round(device.uptimeMs * 1000));
  let size: { width: number; height: number } | undefined;
  let file: Mp4File | undefined;
  let config: Uint8Array | undefined;
  let bytes = 0;
  const send = async (packets: readonly VideoPacket[]): Promise<void> => {
    for (const packet of packets) {
      // A track has one size: what is shown after the display has turned is not in the file.
      if (packet.type === "session" && size) return stop.abort();
      if (packet.type === "session") size = packet;
      else if (writeRaw) await writeRaw(packet.data);
      if (packet.type === "config") config = packet.data;
      if (packet.type !== "frame" || !size || !config || writeRaw) continue;
      file ??= new Mp4File(device.volume.spill.path(), { ...size, config, startUs: packet.ptsUs });
      file.add(packet);
      if ((bytes += packet.data.length) > device.volume.availableBytes) return stop.abort();
    }
  };
  await stream.run(send, stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  file?.finish(uptimeUs());
  return file;
}

export const screenrecord: Commands = {
  /** The host that ends the command, as Ctrl-C does, gets what was recorded until then. */
  screenrecord: async (call) => {
    const options = optionsOf(call);
    const { device } = call;
    const isOutput = options.path === "-";
    // Opened before anything is recorded, to say at once that it cannot be written.
    const writer = isOutput ? undefined : call.shell.files.create(options.path, 0o660);
    const write: Write = (bytes) => (writer ? writer.write(bytes) : call.stdout.write(bytes));
    const stop = new AbortController();
    const end = () => stop.abort();
    call.signal.addEventListener("abort", end, { once: true });
    device.clock.sleep(options.seconds * 1000, AbortSignal.any([stop.signal, device.ended])).then(end, end);
    let file: Mp4File | undefined;
    try {
      file = await record(call, options, stop, options.isRaw ? write : undefined);
      if (device.ended.aborted || (!file && !options.isRaw)) return 1;
      for (const bytes of file?.bytes() ?? []) await write(bytes);
      return 0;
    } finally {
      stop.abort();
      call.signal.removeEventListener("abort", end);
      file?.remove();
      writer?.close();
    }
  },
};
