import type { ByteStream } from "../byte-stream.ts";
import { AdbError } from "../errors.ts";
import { Handoff } from "../handoff.ts";
import { encodeShellFrame, shellId, ShellFrameReader } from "../shell/shell-frame.ts";
import { encodeWindowSize } from "../shell/window-size.ts";
import type { AdbProcess } from "./adb-link.ts";

/** Input is cut into parts, so that the device can pass one on while the next is on its way. */
const MAX_INPUT_BYTES = 64 * 1024;

/** A command behind a shell v2 stream. */
export class RemoteProcess implements AdbProcess {
  readonly stdout = new Handoff();
  readonly stderr = new Handoff();
  readonly exit: Promise<number>;
  readonly #stream: ByteStream;

  constructor(stream: ByteStream) {
    this.#stream = stream;
    this.exit = this.#run();
    // Whoever awaits it gets the rejection; nobody has to await it.
    this.exit.catch(() => {});
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += MAX_INPUT_BYTES)
      await this.#send(shellId.stdin, bytes.subarray(at, at + MAX_INPUT_BYTES));
  }

  closeStdin(): Promise<void> {
    return this.#send(shellId.closeStdin, new Uint8Array(0));
  }

  resize({ rows, columns, widthPx = 0, heightPx = 0 }: Parameters<AdbProcess["resize"]>[0]): Promise<void> {
    return this.#send(shellId.windowSize, encodeWindowSize({ rows, columns, widthPx, heightPx }));
  }

  kill(): void {
    this.#stream.close();
    this.stdout.cancel();
    this.stderr.cancel();
  }

  #send(id: number, data: Uint8Array): Promise<void> {
    return this.#stream.write(encodeShellFrame({ id, data }));
  }

  async #run(): Promise<number> {
    let error: Error | undefined;
    try {
      const exitCode = await this.#readFrames();
      if (exitCode !== undefined) return exitCode;
      error = new AdbError("STREAM_CLOSED", "the command ended without an exit code");
    } catch (cause) {
      error = cause instanceof Error ? cause : new AdbError("PROTOCOL", "the shell's frames cannot be read", { cause });
    } finally {
      this.#stream.close();
      this.stdout.end(error);
      this.stderr.end(error);
    }
    throw error;
  }

  async #readFrames(): Promise<number | undefined> {
    const frames = new ShellFrameReader();
    for (let bytes = await this.#stream.read(); bytes; bytes = await this.#stream.read()) {
      for (const { id, data } of frames.push(bytes)) {
        if (id === shellId.stdout) await this.stdout.put(data);
        else if (id === shellId.stderr) await this.stderr.put(data);
        else if (id === shellId.exit) return data[0] ?? 0;
      }
    }
    return undefined;
  }
}
