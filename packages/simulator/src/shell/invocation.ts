import type { ByteSink } from "@terrarium/adb";
import type { SimulatedDevice } from "../device/simulated-device.ts";
import { FileError } from "../files/file-error.ts";
import type { FileReader } from "../files/file-reader.ts";
import type { FileWriter } from "../files/file-writer.ts";
import { absolute } from "../files/path.ts";
import type { ByteSource } from "./pipe.ts";
import type { ShellState } from "./shell-state.ts";

/** One run of one command. */
export interface Invocation {
  name: string;
  args: string[];
  stdin: ByteSource;
  stdout: ByteSink;
  stderr: ByteSink;
  device: SimulatedDevice;
  shell: ShellState;
  /** Aborts when the host closes the stream or is lost, and when the command is killed. */
  signal: AbortSignal;
  /**
   * To be awaited in every loop that does not read or write one of the streams on its way, with the bytes it has moved: the event loop
   * gets its turn, and a command that nobody waits for any more, or that has used up its budget, ends.
   */
  spend(bytes?: number): Promise<void>;
  /** Whether a command of that name exists. */
  has(name: string): boolean;
  /** Runs another command, with the same streams unless others are given. Returns its exit code. */
  run(argv: readonly string[], streams?: Partial<Pick<Invocation, "stdin" | "stdout" | "stderr">>): Promise<number>;
}

/** Returns the exit code. A `FileError` or `UsageError` it throws is printed as `name: message`; the code is then 1. */
export type Command = (call: Invocation) => number | Promise<number>;
export type Commands = Record<string, Command>;

/** The command cannot do what it was asked. The message is printed after its name. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const pathOf = (call: Invocation, path: string): string => absolute(call.shell.cwd, path);

/** Runs `act` for each path. Returns 1 if any was refused, which is reported as toybox does. */
export async function forEachPath(
  call: Invocation,
  paths: readonly string[],
  act: (path: string, shown: string) => Promise<void> | void,
): Promise<number> {
  let code = 0;
  for (const shown of paths) {
    try {
      await act(pathOf(call, shown), shown);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      await call.stderr.write(`${call.name}: ${shown}: ${error.message}\n`);
      code = 1;
    }
  }
  return code;
}

const MAX_INPUT_BYTES = 16 * 1024 * 1024;
const READ_BYTES = 64 * 1024;

/** The bytes of a file in pieces. */
export async function* readFile(call: Invocation, path: string): AsyncGenerator<Uint8Array> {
  const reader = call.shell.files.open(pathOf(call, path));
  for (let at = 0; ;) {
    const chunk = reader.read(at, READ_BYTES);
    if (chunk.length === 0) return;
    at += chunk.length;
    await call.spend(chunk.length);
    await call.device.diskRead(chunk.length, reader);
    yield chunk;
  }
}

/** Copies a file from its start to its end, and closes the copy. */
export async function copyFile(call: Invocation, reader: FileReader, writer: FileWriter): Promise<void> {
  try {
    for (let at = 0; ;) {
      const chunk = reader.read(at, READ_BYTES);
      if (chunk.length === 0) return;
      writer.write(chunk);
      at += chunk.length;
      await call.spend(2 * chunk.length);
      await call.device.diskRead(chunk.length, reader);
    }
  } finally {
    writer.close();
  }
}

export async function* readInput(call: Invocation): AsyncGenerator<Uint8Array> {
  for (let chunk = await call.stdin.read(); chunk; chunk = await call.stdin.read()) yield chunk;
}

/** The named files concatenated, or the input if none or `-` is named. A refused file is reported and skipped. */
export async function readAll(
  call: Invocation,
  paths: readonly string[],
): Promise<{ bytes: Uint8Array; code: number }> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  const gather = async (source: AsyncIterable<Uint8Array>) => {
    for await (const chunk of source) {
      total += chunk.length;
      if (total > MAX_INPUT_BYTES) throw new UsageError("input too large");
      chunks.push(chunk);
    }
  };
  if (paths.length === 0) await gather(readInput(call));
  const code = await forEachPath(call, paths, (_path, shown) =>
    gather(shown === "-" ? readInput(call) : readFile(call, shown)),
  );
  return { bytes: Buffer.concat(chunks), code };
}

/** Lines as they come, without their ends: all that a piece of the source completes. */
export async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let held = "";
  for await (const chunk of source) {
    const lines = decoder.decode(chunk, { stream: true }).split("\n");
    lines[0] = held + lines[0]!;
    held = lines.pop()!;
    if (held.length > MAX_INPUT_BYTES) throw new UsageError("line too long");
    if (lines.length > 0) yield lines;
  }
  held += decoder.decode();
  if (held !== "") yield [held];
}

/** The lines of several files, or of the input. */
export async function* inputLines(call: Invocation, paths: readonly string[]): AsyncGenerator<string> {
  if (paths.length === 0) for await (const lines of linesOf(readInput(call))) yield* lines;
  for (const path of paths)
    for await (const lines of linesOf(path === "-" ? readInput(call) : readFile(call, path))) yield* lines;
}

export interface Options {
  flags: Set<string>;
  values: Map<string, string>;
  rest: string[];
}

/**
 * Single-letter options as getopt reads them; `spec` is letters, each followed by `:` when it takes a value. An unknown
 * one throws, as toybox does.
 */
export function options(call: Pick<Invocation, "args">, spec: string): Options {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const args = [...call.args];
  while (args.length > 0 && /^-./.test(args[0]!)) {
    const arg = args.shift()!;
    if (arg === "--") break;
    for (let at = 1; at < arg.length; at++) {
      const letter = arg[at]!;
      const known = spec.indexOf(letter);
      if (known < 0 || letter === ":") throw new UsageError(`Unknown option '${arg.slice(at)}'`);
      if (spec[known + 1] !== ":") {
        flags.add(letter);
        continue;
      }
      const value = at + 1 < arg.length ? arg.slice(at + 1) : args.shift();
      if (value === undefined) throw new UsageError(`Missing argument to '-${letter}'`);
      // Only patterns and edits may be given several times; each is a line.
      const before = letter === "e" ? values.get(letter) : undefined;
      values.set(letter, before === undefined ? value : `${before}\n${value}`);
      break;
    }
  }
  return { flags, values, rest: args };
}

/** A whole number, with toybox's suffixes k, m and g. Throws on anything else. */
export function numberFrom(text: string): number {
  const match = /^([+-]?\d+)([kKmMgG]?)[bB]?$/.exec(text);
  if (!match) throw new UsageError(`bad number '${text}'`);
  return (
    Number(match[1]) * { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }[match[2]!.toLowerCase() as "" | "k" | "m" | "g"]
  );
}
