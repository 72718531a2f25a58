import { defaultServerOptions, type VideoPacket } from "@terrarium/scrcpy";
import { Mp4File } from "../encoder/mp4-file.ts";
import { type Commands, type Invocation, pathOf, UsageError } from "../shell/invocation.ts";
import { VideoStream } from "./video-stream.ts";

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
  path: string;
}

function optionsOf(call: Invocation): Options {
  const options = { seconds: MAX_SECONDS, bitRate: DEFAULT_BIT_RATE, maxSize: 0 };
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
    } else throw new UsageError(`${name} is not supported by a simulated device`, INVALID);
  }
  const [shown] = words;
  if (shown === undefined || words.length > 1) throw new UsageError("Must specify output file (see --help).", INVALID);
  if (shown === "-") throw new UsageError("a simulated device records to a file, not to its output", INVALID);
  return { ...options, path: pathOf(call, shown) };
}

/** Records until the signal aborts, the display turns or the disk is full; undefined if nothing was painted. */
async function record(
  { device }: Invocation,
  { bitRate, maxSize }: Options,
  stop: AbortController,
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
      if (packet.type === "config") config = packet.data;
      if (packet.type !== "frame" || !size || !config) continue;
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
    // Before anything is recorded: whether the file can be written.
    call.shell.files.create(options.path, 0o660).close();
    const stop = new AbortController();
    const end = () => stop.abort();
    call.signal.addEventListener("abort", end, { once: true });
    device.clock.sleep(options.seconds * 1000, AbortSignal.any([stop.signal, device.ended])).then(end, end);
    const file = await record(call, options, stop);
    stop.abort();
    call.signal.removeEventListener("abort", end);
    try {
      if (!file || device.ended.aborted) return 1;
      const writer = call.shell.files.create(options.path, 0o660);
      for (const bytes of file.bytes()) writer.write(bytes);
      writer.close();
      return 0;
    } finally {
      file?.remove();
    }
  },
};
