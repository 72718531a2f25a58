import type { ByteStream } from "../byte-stream.ts";
import { AdbError, isPeerFault } from "../errors.ts";
import { Handoff } from "../handoff.ts";
import { encodeShellFrame, ShellFrameReader, shellId } from "../shell/shell-frame.ts";
import { decodeWindowSize } from "../shell/window-size.ts";
import type { ByteSink, DeviceServices, WindowSize } from "./device-services.ts";

export interface ShellService {
  command: string;
  pty: boolean;
  term: string | undefined;
  /** True for shell protocol v2; otherwise the stream is the terminal. */
  framed: boolean;
}

/** Output is cut into frames of the size that adb's own buffers have. */
const MAX_OUTPUT_BYTES = 64 * 1024;
const encoder = new TextEncoder();

/** `shell[,v2][,TERM=..][,raw|pty]:command` or `exec:command`; undefined when it is another service. */
export function parseShellService(service: string): ShellService | undefined {
  const match = /^(shell|exec)((?:,[^,:]*)*):(.*)$/s.exec(service);
  if (!match) return undefined;
  const [, name, list = "", command = ""] = match;
  const words = list.split(",");
  return {
    command,
    pty: words.includes("pty") || (name === "shell" && command === "" && !words.includes("raw")),
    term: words.find((word) => word.startsWith("TERM="))?.slice("TERM=".length),
    framed: name === "shell" && words.includes("v2"),
  };
}

/** Runs one command for the host and ends the stream with its exit code. */
export async function serveShell(
  stream: ByteStream,
  { command, pty, term, framed }: ShellService,
  services: DeviceServices,
  report: ((error: unknown) => void) | undefined,
): Promise<void> {
  const abort = new AbortController();
  void stream.closed.then(() => abort.abort(new AdbError("STREAM_CLOSED", "the host closed the shell")));
  const input = framed ? new FramedInput(stream) : new PlainInput(stream);
  const request = {
    command,
    pty,
    term,
    stdin: input.stdin,
    stdout: sink(stream, framed ? shellId.stdout : undefined),
    stderr: sink(stream, framed ? shellId.stderr : undefined),
    onResize: (listener: (size: WindowSize) => void) => input.onResize(listener),
    signal: abort.signal,
  };
  let exitCode = 1;
  try {
    exitCode = await services.shell(request);
  } catch (error) {
    if (abort.signal.aborted) return;
    if (!isPeerFault(error)) report?.(error);
    await request.stderr.write("shell: internal error\n");
  }
  if (framed) await stream.write(encodeShellFrame({ id: shellId.exit, data: new Uint8Array([exitCode & 0xff]) }));
  await stream.end();
}

function sink(stream: ByteStream, id: number | undefined): ByteSink {
  return {
    async write(data) {
      const bytes = typeof data === "string" ? encoder.encode(data) : data;
      for (let at = 0; at < bytes.length; at += MAX_OUTPUT_BYTES) {
        const part = bytes.subarray(at, at + MAX_OUTPUT_BYTES);
        await stream.write(id === undefined ? part : encodeShellFrame({ id, data: part }));
      }
    },
  };
}

interface ShellInput {
  stdin: AsyncIterable<Uint8Array>;
  onResize(listener: (size: WindowSize) => void): void;
}

/** Without frames the host sends only bytes, and ends them only by closing the whole stream. */
class PlainInput implements ShellInput {
  readonly stdin: AsyncIterable<Uint8Array>;

  constructor(stream: ByteStream) {
    // Unlike the stream's own loop, leaving this one does not close the stream: output is still to come.
    this.stdin = (async function* () {
      for (let bytes = await stream.read(); bytes; bytes = await stream.read()) yield bytes;
    })();
  }

  onResize(): void {}
}

/** Splits the frames of shell v2: input goes to the command as fast as it reads, the other frames are handled here. */
class FramedInput implements ShellInput {
  readonly stdin = new Handoff();
  #size: WindowSize | undefined;
  #listeners: ((size: WindowSize) => void)[] = [];

  constructor(stream: ByteStream) {
    void this.#read(stream);
  }

  onResize(listener: (size: WindowSize) => void): void {
    this.#listeners.push(listener);
    if (this.#size) listener(this.#size);
  }

  async #read(stream: ByteStream): Promise<void> {
    const frames = new ShellFrameReader();
    try {
      for (let bytes = await stream.read(); bytes; bytes = await stream.read()) {
        for (const { id, data } of frames.push(bytes)) {
          if (id === shellId.stdin) await this.stdin.put(data);
          else if (id === shellId.closeStdin) this.stdin.end();
          else if (id === shellId.windowSize) this.#resized(decodeWindowSize(data));
        }
      }
      this.stdin.end();
    } catch (error) {
      const cause = error instanceof Error ? error : new AdbError("PROTOCOL", "bad shell input");
      this.stdin.end(cause);
      stream.close(cause);
    }
  }

  #resized(size: WindowSize | undefined): void {
    if (!size) return;
    this.#size = size;
    for (const listener of this.#listeners) listener(size);
  }
}
