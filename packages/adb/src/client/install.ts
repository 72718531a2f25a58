import type { ByteStream } from "../byte-stream.ts";
import type { AdbConnection } from "../connection/adb-connection.ts";
import { AdbError } from "../errors.ts";
import { quoteShell } from "../shell/quote.ts";
import { onAbort } from "../wait.ts";
import type { InstallOptions } from "./adb-link.ts";
import { readAll } from "./read-all.ts";

/** The package manager answers with one line, or with a stack trace of some kilobytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Streams an APK into `cmd package install`, as adb does for devices with the feature `cmd` (Android 7 on). */
export async function installApk(
  connection: AdbConnection,
  { size, source, args = [], signal }: InstallOptions,
): Promise<void> {
  if (!Number.isSafeInteger(size) || size < 1) throw new AdbError("INVALID_ARGUMENT", "an APK has at least one byte");
  const line = ["cmd package 'install'", ...args.map(quoteShell), "-S", String(size)].join(" ");
  const stream = await connection.open(`exec:${line}`, signal);
  const forget = onAbort(signal, () => stream.close());
  try {
    await sendExactly(stream, source, size);
    const answer = new TextDecoder().decode(await readAll(stream, MAX_ANSWER_BYTES)).trim();
    signal?.throwIfAborted();
    if (!/^Success\b/m.test(answer)) throw new AdbError("FAILED", answer || "the package manager said nothing");
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    forget();
    stream.close();
  }
}

async function sendExactly(stream: ByteStream, source: InstallOptions["source"], size: number): Promise<void> {
  let left = size;
  for await (const part of source) {
    left -= part.length;
    if (left < 0) break;
    try {
      await stream.write(part);
    } catch (error) {
      // A package manager that has seen enough closes early, and its answer can still be read.
      if (error instanceof AdbError && error.code === "STREAM_CLOSED") return;
      throw error;
    }
  }
  if (left !== 0)
    throw new AdbError(
      "INVALID_ARGUMENT",
      `the APK has ${left < 0 ? "more" : "less"} than the ${size} bytes it should have`,
    );
}
