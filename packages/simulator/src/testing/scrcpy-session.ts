import type { AdbLink, AdbProcess, ByteStream } from "@terrarium/adb";
import {
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
  const control = await adb.openLocalAbstract(socketName(all.scid));
  const reader = new VideoReader({ dummyByte: true });
  const events: VideoEvent[] = [];
  return {
    server,
    control,
    async next() {
      for (;;) {
        const event = events.shift();
        if (event) return event;
        const chunk = await video.read();
        if (!chunk) return undefined;
        events.push(...reader.push(chunk));
      }
    },
    send: (message) => control.write(encodeControl(message)),
    close: () => server.kill(),
  };
}
