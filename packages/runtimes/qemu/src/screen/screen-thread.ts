import { systemClock } from "@terrarium/clock";
import { ByteReader } from "@terrarium/runtime";
import {
  ControlReader,
  defaultServerOptions,
  dummyByte,
  encodeCodec,
  encodeDeviceName,
  encodeVideo,
  type VideoPacket,
} from "@terrarium/scrcpy";
import { VideoStream } from "@terrarium/video";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { VNC_SOCKET } from "../arguments.ts";
import { Framebuffer } from "./framebuffer.ts";
import type { ScreenTask } from "./open-screen.ts";
import { drawUpdate, greet, type Size, updateRequest } from "./rfb.ts";
import { ScreenInput } from "./screen-input.ts";

/*
 * A thread: encoding a picture takes milliseconds, in which the gateway would do nothing else. What it sends is what scrcpy's server sends on its
 * first socket, and it takes what that takes on its last.
 */
const { folder, wish } = workerData as ScreenTask;
const port = parentPort!;

let input: ScreenInput | undefined;
let stream: VideoStream | undefined;
let socket: Socket | undefined;
const control = new ControlReader();
port.on("message", (message: Uint8Array | "taken" | "close") => {
  if (message === "taken") return taken.resolve();
  if (message === "close") {
    input?.release();
    if (!socket?.writable) process.exit();
    socket.end(() => process.exit());
    return;
  }
  for (const asked of control.push(message))
    if (asked.type === "resetVideo") stream?.reset();
    else input?.handle(asked);
});

let taken = Promise.withResolvers<void>();
/** Resolves when somebody has read it. */
async function send(...parts: Uint8Array[]): Promise<void> {
  taken = Promise.withResolvers();
  port.postMessage(Buffer.concat(parts), []);
  await taken.promise;
}

// A path by the descriptor of its folder is never too long.
const handle = await open(folder);
socket = connect({ path: `/proc/self/fd/${handle.fd}/${VNC_SOCKET}` });
await once(socket, "connect");
await handle.close();
const write = (bytes: Uint8Array) => void socket?.write(bytes);

const reader = new ByteReader(socket);
const size = await greet(reader, write);
const framebuffer: Framebuffer = new Framebuffer(size, () => write(updateRequest(framebuffer.screen, true)));
/** Draws an update. If the size has changed, the whole screen is requested again, as nothing of it was sent yet. */
async function draw(): Promise<void> {
  const before: Size = framebuffer.screen;
  await drawUpdate(reader, framebuffer);
  if (framebuffer.screen !== before) write(updateRequest(framebuffer.screen, false));
}
write(updateRequest(size, false));
await draw();

const began = systemClock.monotonic();
const watched = {
  clock: systemClock,
  display: framebuffer,
  get uptimeMs() {
    return systemClock.monotonic() - began;
  },
};
const video = (stream = new VideoStream(watched, { ...defaultServerOptions, ...wish }));
input = new ScreenInput(write, () => framebuffer.screen);

const drawing = async () => {
  for (;;) await draw();
};
const never = new AbortController().signal;
const showing = async () => {
  await send(dummyByte, encodeDeviceName(""), encodeCodec("h264"));
  await video.run((packets: readonly VideoPacket[]) => send(...packets.map(encodeVideo)), never);
};
await Promise.all([drawing(), showing()]);
