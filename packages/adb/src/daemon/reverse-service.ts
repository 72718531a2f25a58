import type { ByteStream } from "../byte-stream.ts";
import { AdbError } from "../errors.ts";
import type { OpenOnHost, ReverseTable } from "./reverse-table.ts";

/** Text after its length in four hexadecimal digits, as adb's smart sockets write it. */
const withLength = (text: string) => Buffer.byteLength(text).toString(16).padStart(4, "0") + text;

/** Answers `reverse:...`; `request` is the part after the colon. */
export async function serveReverse(
  stream: ByteStream,
  request: string,
  table: ReverseTable,
  openOnHost: OpenOnHost,
): Promise<void> {
  await stream.write(new TextEncoder().encode(answer(request, table, openOnHost)));
  await stream.end();
}

function answer(request: string, table: ReverseTable, openOnHost: OpenOnHost): string {
  try {
    // The only answer without an OKAY first.
    if (request === "list-forward") return withLength(table.format());
    if (request === "killforward-all") {
      table.removeAll();
      return "OKAY";
    }
    const kill = /^killforward:(.+)$/s.exec(request)?.[1];
    if (kill !== undefined) {
      if (table.remove(kill)) return "OKAY";
      throw new AdbError("FAILED", `listener '${kill}' not found`);
    }
    const forward = /^forward:(norebind:)?([^;]*);(.*)$/s.exec(request);
    if (!forward) throw new AdbError("FAILED", "bad forward request");
    const [, norebind, address = "", remote = ""] = forward;
    const chosen = table.add(address, remote, openOnHost, !norebind);
    return address === "tcp:0" ? `OKAY${withLength(chosen.slice("tcp:".length))}` : "OKAY";
  } catch (error) {
    if (error instanceof AdbError) return `FAIL${withLength(error.message)}`;
    throw error;
  }
}
