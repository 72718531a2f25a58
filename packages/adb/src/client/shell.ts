import type { AdbConnection } from "../connection/adb-connection.ts";
import { AdbError, isPeerFault } from "../errors.ts";
import { commandLine } from "../shell/quote.ts";
import { onAbort } from "../wait.ts";
import type { AdbProcess, ShellOptions, ShellResult, SpawnOptions } from "./adb-link.ts";
import { readAll } from "./read-all.ts";
import { RemoteProcess } from "./remote-process.ts";

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
const decoder = new TextDecoder();

type Command = string | readonly string[];

/** Starts a command with shell protocol v2. */
export async function spawnRemote(
  connection: AdbConnection,
  command: Command,
  { signal, pty = false, term = "xterm-256color" }: SpawnOptions,
): Promise<AdbProcess> {
  // A `:` or `,` would end the name and begin the command.
  if (!/^[\w.+-]+$/.test(term)) throw new AdbError("INVALID_ARGUMENT", "the name of a terminal is one plain word");
  const kind = pty ? `TERM=${term},pty` : "raw";
  const stream = await connection.open(`shell,v2,${kind}:${commandLine(command)}`, signal);
  const process = new RemoteProcess(stream);
  const forget = onAbort(signal, () => process.kill());
  void stream.closed.then(forget);
  return process;
}

/** Runs a command with shell protocol v2 to its end. */
export async function runShell(
  connection: AdbConnection,
  command: Command,
  { signal, stdin, maxBytes = DEFAULT_MAX_BYTES }: ShellOptions,
): Promise<ShellResult> {
  const process = await spawnRemote(connection, command, { signal });
  const budget = new Budget(maxBytes);
  try {
    const output = Promise.all([
      readAll(budget.count(process.stdout), Infinity),
      readAll(budget.count(process.stderr), Infinity),
      process.exit,
    ]);
    // A source that fails ends the command. A command may end before it has read all of its input.
    const input = feed(process, stdin).then(() => output);
    const [stdout, stderr, exitCode] = await Promise.race([output, input]);
    return { stdout: decoder.decode(stdout), stderr: decoder.decode(stderr), exitCode };
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    process.kill();
  }
}

/** How many bytes two outputs may have together. */
class Budget {
  #left: number;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#left = maxBytes;
  }

  async *count(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of source) {
      this.#left -= part.length;
      if (this.#left < 0) throw new AdbError("TOO_LARGE", `the command prints more than ${this.#maxBytes} bytes`);
      yield part;
    }
  }
}

async function feed(process: AdbProcess, stdin: ShellOptions["stdin"]): Promise<void> {
  try {
    const source = stdin instanceof Uint8Array ? [stdin] : (stdin ?? []);
    for await (const part of source) await process.write(part);
    await process.closeStdin();
  } catch (error) {
    if (!isPeerFault(error)) throw error;
  }
}
