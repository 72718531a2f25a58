import type { ByteStream } from "../byte-stream.ts";
import type { DeviceFiles } from "./device-files.ts";

/** Where a command writes. Resolves when the host has received it; rejects with `AdbError` when the host is gone. */
export interface ByteSink {
  write(data: Uint8Array | string): Promise<void>;
}

export interface WindowSize {
  rows: number;
  columns: number;
  widthPx: number;
  heightPx: number;
}

export interface ShellRequest {
  /** The command line, for the device's shell to parse; when empty, the host wants an interactive shell. */
  command: string;
  /** True when the host wants a terminal. */
  pty: boolean;
  /** The host's TERM, when it sent one. */
  term: string | undefined;
  /** Ends when the host closes its input. A host piping a file is held back until this is read. */
  stdin: AsyncIterable<Uint8Array>;
  stdout: ByteSink;
  /** The same as `stdout` when the host's protocol has only one. */
  stderr: ByteSink;
  /** Calls the listener at each change of the terminal's size, and at once with a size that is already known. */
  onResize: (listener: (size: WindowSize) => void) => void;
  /** Aborts when the host closes the stream or is lost. */
  signal: AbortSignal;
}

/** Takes the stream of a host that connected to a socket of the device. A promise that rejects closes the stream. */
export type SocketHandler = (stream: ByteStream) => void | Promise<void>;

export type LocalSocketKind = "abstract" | "filesystem" | "reserved";

type Answer<T> = T | undefined | Promise<T | undefined>;

/** What the device behind a daemon can do. The daemon speaks adb; this knows Android. */
export interface DeviceServices {
  /**
   * Runs a command of `shell:` or `exec:` and gives its exit code (0 to 255). `adb install` and `adb logcat` arrive here
   * too, as `cmd package 'install' -S <bytes>` with the APK as input, and `export ANDROID_LOG_TAGS=...; exec logcat ...`.
   */
  shell(request: ShellRequest): Promise<number>;
  files: DeviceFiles;
  /** What accepts connections to a Unix socket of the device (`adb forward`, direct opens); undefined refuses them. */
  localSocket?(name: string, kind: LocalSocketKind, signal: AbortSignal): Answer<SocketHandler>;
  /** What accepts connections to a TCP port of the device; undefined refuses them. */
  tcp?(port: number, signal: AbortSignal): Answer<SocketHandler>;
  /**
   * Who takes any other service, named as it is opened: `framebuffer:`, `root:`. Undefined leaves it to the daemon, which
   * answers `root:` and its like as a production build does and refuses the rest.
   */
  service?(name: string): SocketHandler | undefined;
  /** `adb reboot [mode]`; the mode may be empty. Without this method, a reboot is refused. */
  reboot?(mode: string): void | Promise<void>;
}
