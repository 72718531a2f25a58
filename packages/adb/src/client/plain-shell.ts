import type { AdbConnection } from "../connection/adb-connection.ts";
import { AdbError } from "../errors.ts";
import { commandLine } from "../shell/quote.ts";
import { onAbort } from "../wait.ts";
import type { ShellOptions, ShellResult } from "./adb-link.ts";
import { readAll } from "./read-all.ts";

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
const MARK = "terrarium-exit:";

/**
 * Runs a command on a device without shell protocol v2 (Android 6 and older). Uses `exec:` rather than `shell:`, which
 * is a terminal there and changes line ends. Nothing carries the exit code, so it is printed after the output; the command
 * runs in a subshell, so that its own `exit` does not skip that.
 */
export async function runPlainShell(
  connection: AdbConnection,
  command: string | readonly string[],
  { signal, stdin, maxBytes = DEFAULT_MAX_BYTES }: ShellOptions,
): Promise<ShellResult> {
  if (stdin) throw new AdbError("REFUSED", "without shell_v2 the end of the input cannot be told");
  const line = `(${commandLine(command)}\n) </dev/null 2>&1; echo "${MARK}$?"`;
  const stream = await connection.open(`exec:${line}`, signal);
  const forget = onAbort(signal, () => stream.close());
  try {
    const output = new TextDecoder().decode(await readAll(stream, maxBytes));
    signal?.throwIfAborted();
    const at = output.lastIndexOf(MARK);
    const exitCode = /^(\d+)\r?\n?$/.exec(output.slice(at + MARK.length))?.[1];
    if (at < 0 || exitCode === undefined) throw new AdbError("STREAM_CLOSED", "the command ended without an exit code");
    return { stdout: output.slice(0, at), stderr: "", exitCode: Number(exitCode) };
  } finally {
    forget();
    stream.close();
  }
}
