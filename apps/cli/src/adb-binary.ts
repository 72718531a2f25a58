import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { Failure } from "./failures.ts";
import type { Terminal } from "./terminal.ts";

const execute = promisify(execFile);
/** How long adb may take: its server has to start now and then. */
const ADB_MS = 30_000;

/** Runs the person's own adb: of PATH, else that of the Android SDK. Throws a Failure if there is none, or with what it says. */
export async function runAdb({ env }: Pick<Terminal, "env">, ...words: string[]): Promise<string> {
  const sdk = env.ANDROID_HOME ?? env.ANDROID_SDK_ROOT;
  for (const program of ["adb", ...(sdk ? [join(sdk, "platform-tools", "adb")] : [])])
    try {
      return (await execute(program, words, { env, timeout: ADB_MS })).stdout;
    } catch (error) {
      const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: string };
      if (code !== "ENOENT") throw new Failure("DEFAULT_ERROR", `adb ${words[0]} failed.`, stderr?.trim());
    }
  throw new Failure(
    "CONFIGURATION_ERROR",
    "There is no adb on this machine. Install the Android SDK platform tools (Debian: apt install adb).",
  );
}

/** Makes a serial known to the adb server; again and again is no harm. */
export async function adbConnect(terminal: Pick<Terminal, "env">, serial: string): Promise<void> {
  const answer = await runAdb(terminal, "connect", serial);
  // It says so, and exits with 0.
  if (!/^(already )?connected to /.test(answer))
    throw new Failure("ADB_TUNNEL_TIMEOUT", `adb does not reach ${serial}.`, answer.trim());
}
