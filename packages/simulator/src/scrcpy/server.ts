import { AdbError, type ByteStream } from "@terrarium/adb";
import {
  dummyByte,
  encodeCodec,
  encodeDeviceName,
  encodeVideo,
  parseServerArguments,
  ScrcpyError,
  type ServerOptions,
  socketName,
} from "@terrarium/scrcpy";
import type { SimulatedDevice } from "../device/simulated-device.ts";
import type { Invocation } from "../shell/invocation.ts";
import { AudioStream, SOUND_SINCE } from "./audio-stream.ts";
import { Control } from "./control.ts";
import { listsOf } from "./lists.ts";
import { refusalOf } from "./refusals.ts";
import { VideoStream } from "@terrarium/video";

/** Resolves with the client's next connection. */
type NextSocket = () => Promise<ByteStream>;

/**
 * The scrcpy server as the shell runs it: it ends when the shell is closed, when the device ends, or when the client
 * closes one of its sockets. Throws `ScrcpyError` for a client of another version and for invalid options.
 */
export async function runServer(call: Invocation, args: readonly string[]): Promise<number> {
  const options = parseServerArguments(args);
  const { device } = call;
  const { properties } = device;
  const info = (message: string) => call.stdout.write(`[server] INFO: ${message}\n`);
  const greeting = `Device: [${properties.get("ro.product.manufacturer")}] ${properties.get("ro.product.brand")} ${properties.get("ro.product.model")} (Android ${properties.get("ro.build.version.release")})`;
  const lists = listsOf(args, device);
  const refusal = lists.length > 0 ? undefined : refusalOf(args, device);
  if (lists.length > 0 || refusal) {
    for (const line of [greeting, ...lists]) await info(line);
    if (refusal) await call.stderr.write(`[server] ERROR: ${refusal.message}\n`);
    return refusal?.exitCode ?? 0;
  }
  const stop = new AbortController();
  const signal = AbortSignal.any([call.signal, stop.signal]);
  const opened: ByteStream[] = [];
  const client = options.tunnelForward ? accepting(device, options, signal) : connecting(device, options, signal);
  try {
    // Printed once it listens, so that a client that waits for this line can connect.
    await info(greeting);
    const sockets = await openSockets(options, async () => {
      const stream = await client.next();
      opened.push(stream);
      return stream;
    });
    await greet(sockets.all[0], device, options);
    if (options.powerOn) device.state.set({ screenOn: true });
    device.log("I", "scrcpy", `A client watches${options.control ? " and controls" : ""} this device`);
    await serve(call, sockets, options, signal);
    return 0;
  } catch (error) {
    // The client went away: that is how a session ends.
    if (error instanceof AdbError) return 0;
    if (signal.aborted && !call.signal.aborted) return 0;
    throw error;
  } finally {
    stop.abort(new Error("the session is over"));
    client.close();
    for (const stream of opened) stream.close();
    if (options.powerOffOnClose && !device.ended.aborted) device.state.set({ screenOn: false });
  }
}

interface Sockets {
  all: ByteStream[];
  video: ByteStream | undefined;
  audio: ByteStream | undefined;
  control: ByteStream | undefined;
}

/** The wanted ones of video, audio and control, in this order. */
async function openSockets(options: ServerOptions, next: NextSocket): Promise<Sockets> {
  const all: ByteStream[] = [];
  const one = async (wanted: boolean): Promise<ByteStream | undefined> => {
    if (!wanted) return undefined;
    const stream = await next();
    // At once: the client waits for it before it connects again.
    if (all.length === 0 && options.tunnelForward && options.sendDummyByte) await stream.write(dummyByte);
    all.push(stream);
    return stream;
  };
  return { all, video: await one(options.video), audio: await one(options.audio), control: await one(options.control) };
}

async function greet(first: ByteStream | undefined, device: SimulatedDevice, options: ServerOptions): Promise<void> {
  if (first && options.sendDeviceMeta) await first.write(encodeDeviceName(device.properties.get("ro.product.model")));
}

async function serve(
  call: Invocation,
  { video, audio, control }: Sockets,
  options: ServerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { device } = call;
  const work: Promise<unknown>[] = [];
  let stream: VideoStream | undefined;
  const refuse = async (kind: "video" | "audio", codec: string, has: string, stream: ByteStream) => {
    const why = `No ${kind} encoder found for ${codec}: a simulated device has ${has}`;
    await call.stderr.write(`[server] ERROR: ${why}\n`);
    await stream.write(encodeCodec("misconfigured"));
  };
  const hasSound = device.spec.image.sdkVersion >= SOUND_SINCE;
  if (audio && !hasSound) {
    await call.stderr.write("[server] WARN: Audio disabled: it is not supported before Android 11\n");
    // scrcpy goes on without.
    if (options.sendStreamMeta) audio.write(encodeCodec("disabled")).catch(() => undefined);
  } else if (audio && options.audioCodec !== "opus") return refuse("audio", options.audioCodec, "opus", audio);
  if (video) {
    if (options.videoCodec !== "h264") return refuse("video", options.videoCodec, "h264", video);
    if (options.sendStreamMeta) await video.write(encodeCodec("h264"));
    stream = new VideoStream(device, options);
    work.push(
      stream.run((packets) => video.write(Buffer.concat(packets.map(encodeVideo))), signal),
      video.closed,
    );
  }
  if (audio && hasSound) work.push(playSound(audio, device, options, signal), audio.closed);
  if (control) work.push(new Control(control, device, options, stream).run());
  if (work.length === 0) throw new ScrcpyError("INVALID_ARGUMENT", "No stream and no control: there is nothing to do");
  work.push(
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
  );
  for (const one of work) one.catch(() => undefined);
  await Promise.race(work);
}

/** On its own: a client that does not read it has its picture all the same. */
async function playSound(
  audio: ByteStream,
  device: SimulatedDevice,
  options: ServerOptions,
  signal: AbortSignal,
): Promise<void> {
  if (options.sendStreamMeta) await audio.write(encodeCodec("opus"));
  await new AudioStream(device).run((packet) => audio.write(encodeVideo(packet)), signal);
}

/** Forward: the client connects to a socket of the device. */
function accepting(
  device: SimulatedDevice,
  options: ServerOptions,
  signal: AbortSignal,
): { next: NextSocket; close(): void } {
  const ready: ByteStream[] = [];
  let waiting: ((stream: ByteStream) => void) | undefined;
  const close = device.sockets.listen(socketName(options.scid), (stream) => {
    if (waiting) waiting(stream);
    else ready.push(stream);
    waiting = undefined;
  });
  const next = (): Promise<ByteStream> =>
    new Promise((resolve, reject) => {
      const stream = ready.shift();
      if (stream) return resolve(stream);
      waiting = resolve;
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  return { next, close };
}

/** Reverse: the device connects to a socket of the host. */
function connecting(
  device: SimulatedDevice,
  options: ServerOptions,
  signal: AbortSignal,
): { next: NextSocket; close(): void } {
  const address = `localabstract:${socketName(options.scid)}`;
  const next = async () => {
    const stream = await device.connectReverse(address, signal);
    if (!stream) throw new ScrcpyError("INVALID_ARGUMENT", `Could not connect to ${address}: Connection refused`);
    return stream;
  };
  return { next, close: () => undefined };
}
