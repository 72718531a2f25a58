import type { AdbLink, AdbProcess, ByteStream } from "@terrarium/adb";
import {
  type AudioEvent,
  AudioReader,
  type ControlMessage,
  encodeControl,
  serverCommand,
  type ServerOptions,
  socketName,
  type VideoEvent,
  VideoReader,
} from "@terrarium/scrcpy";

/** A client's end of one scrcpy session, forward mode. */
export interface ScrcpySession {
  server: AdbProcess;
  /** The next thing on the video socket; undefined at its end. */
  next(): Promise<VideoEvent | undefined>;
  /** The next thing on the audio socket, if it was asked for; undefined at its end. */
  nextSound(): Promise<AudioEvent | undefined>;
  control: ByteStream;
  send(message: ControlMessage): Promise<void>;
  close(): void;
}

/** Opens a session as scrcpy's own client does with `--force-adb-forward`. */
export async function openSession(adb: AdbLink, options: Partial<ServerOptions> = {}): Promise<ScrcpySession> {
  const all = { scid: 0x1234abcd, audio: false, tunnelForward: true, ...options };
  const server = await adb.spawn(serverCommand(all));
  const said = server.stdout[Symbol.asyncIterator]();
  // It says what device it is once it listens.
  await said.next();
  const video = await adb.openLocalAbstract(socketName(all.scid));
  const audio = all.audio ? await adb.openLocalAbstract(socketName(all.scid)) : undefined;
  const control = await adb.openLocalAbstract(socketName(all.scid));
  return {
    server,
    control,
    next: eventsOf(video, new VideoReader({ dummyByte: true })),
    nextSound: eventsOf(audio, new AudioReader()),
    send: (message) => control.write(encodeControl(message)),
    close: () => server.kill(),
  };
}

function eventsOf<Event>(stream: ByteStream | undefined, reader: { push(chunk: Uint8Array): Iterable<Event> }) {
  const events: Event[] = [];
  return async (): Promise<Event | undefined> => {
    for (;;) {
      const event = events.shift();
      if (event !== undefined) return event;
      const chunk = await stream?.read();
      if (!chunk) return undefined;
      events.push(...reader.push(chunk));
    }
  };
}
