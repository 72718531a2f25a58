import type { ByteStream } from "../byte-stream.ts";
import type { DeviceBanner } from "../connection/banner.ts";

export interface ShellOptions {
  /** Ends the command: the stream is closed and the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Sent as input; without it the input is closed at once. */
  stdin?: Uint8Array | AsyncIterable<Uint8Array>;
  /** The most bytes of output to hold, both streams together; more rejects with `TOO_LARGE`. Default 16 MiB. */
  maxBytes?: number;
}

export interface ShellResult {
  stdout: string;
  /** Empty on a device without shell protocol v2 (Android 6 and older), where it is part of `stdout`. */
  stderr: string;
  exitCode: number;
}

/** A command that runs on the device; needs the feature `shell_v2`. */
export interface AdbProcess {
  /** The command's output. Both must be read (or cancelled by leaving a loop) or the command stalls. */
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Resolves when the device has taken the bytes. */
  write(bytes: Uint8Array): Promise<void>;
  closeStdin(): Promise<void>;
  resize(size: { rows: number; columns: number; widthPx?: number; heightPx?: number }): Promise<void>;
  /** The exit code. Rejects with `AdbError` when the stream ended without one. */
  readonly exit: Promise<number>;
  /** Closes the stream; the device ends the command. */
  kill(): void;
}

export interface SpawnOptions {
  signal?: AbortSignal;
  /** Ask for a terminal; default false. */
  pty?: boolean;
  /** The terminal's name, default `xterm-256color`; only with `pty`. */
  term?: string;
}

export interface RemoteStat {
  mode: number;
  size: number;
  /** Seconds since 1970. */
  mtime: number;
}

export interface RemoteEntry extends RemoteStat {
  name: string;
}

export interface PushOptions {
  path: string;
  /** Permission bits, default 0o644. */
  mode?: number;
  /** Seconds since 1970; there is no default, since this package reads no clock. */
  mtime: number;
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  signal?: AbortSignal;
}

export interface InstallOptions {
  /** Bytes of the APK. */
  size: number;
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** More arguments for `cmd package install`, such as `-r`. */
  args?: string[];
  signal?: AbortSignal;
}

/** A socket on the device whose connections arrive here. */
export interface ReverseForward {
  /** The device's address: `localabstract:name`, or `tcp:port` with the port the device chose. */
  readonly address: string;
  remove(signal?: AbortSignal): Promise<void>;
}

/**
 * A link to one device's adb daemon, straight, without an adb server. Every method rejects with `AdbError`; an aborted
 * signal rejects with its reason.
 */
export interface AdbLink {
  readonly banner: DeviceBanner;
  /** Aborts when the link is over, with the `AdbError` that says why. */
  readonly gone: AbortSignal;
  /** Opens any service by its name on the wire. Rejects with `REFUSED`. */
  open(service: string, signal?: AbortSignal): Promise<ByteStream>;
  openLocalAbstract(name: string, signal?: AbortSignal): Promise<ByteStream>;
  /** Runs a command to its end. In a list each word is quoted, as one argument; a string is left to the device's shell. */
  shell(command: string | readonly string[], options?: ShellOptions): Promise<ShellResult>;
  /** Starts a command whose input and output the caller handles. */
  spawn(command: string | readonly string[], options?: SpawnOptions): Promise<AdbProcess>;
  /** Writes a file, and makes its folders. */
  push(options: PushOptions): Promise<void>;
  /** Reads a file; leaving the loop early ends the transfer. */
  pull(path: string, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Undefined when there is no such file. Follows links where the device can (`stat_v2`). */
  stat(path: string, signal?: AbortSignal): Promise<RemoteStat | undefined>;
  /** The entries of a folder without `.` and `..`; empty when there is no such folder. */
  list(path: string, signal?: AbortSignal): Promise<RemoteEntry[]>;
  /** Streams an APK into the package manager. Rejects with `FAILED` and the package manager's words. */
  install(options: InstallOptions): Promise<void>;
  /** Listens on the device (`localabstract:name`, `tcp:0`) and calls `accept` with each connection. */
  reverse(
    address: string,
    accept: (stream: ByteStream) => void | Promise<void>,
    signal?: AbortSignal,
  ): Promise<ReverseForward>;
  /** Ends the link at once; streams that wait reject. */
  close(): void;
}
