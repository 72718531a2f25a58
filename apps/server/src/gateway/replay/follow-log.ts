import type { Clock } from "@terrarium/clock";
import { RateWindow } from "../rate-window.ts";
import type { ToolLink } from "../tools/tool.ts";

/** A device that logs more is held back, because this process serves others too. */
const MAX_BYTES_PER_SECOND = 256 * 1024;
const WINDOW_MS = 1_000;
/** How much of a line is recorded; Android's may have 4,068 bytes. */
const MAX_LINE_CHARS = 500;
/** `11-23 12:00:00.000  1234  1240 I Tag: message`; what else is printed says where a buffer begins. */
const THREADTIME = /^(?:\d{4}-)?\d\d-\d\d +[\d:.]+ /;

export interface FollowLogDeps {
  link: Pick<ToolLink, "spawn">;
  clock: Clock;
  signal: AbortSignal;
  onLine(line: string): void;
}

/** Reads a device's log as it is written. Resolves when the device ends it; rejects as `spawn` does, and with the signal's reason. */
export async function followLog({ link, clock, signal, onLine }: FollowLogDeps): Promise<void> {
  // The newest line of before, and then what comes: there is no way to ask for none.
  const process = await link.spawn(["logcat", "-v", "threadtime", "-T", "1"], { signal });
  const traffic = new RateWindow(WINDOW_MS);
  const decoder = new TextDecoder();
  let rest = "";
  const read = async () => {
    for await (const bytes of process.stdout) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = (lines.pop() ?? "").slice(0, MAX_LINE_CHARS);
      for (const line of lines) if (THREADTIME.test(line)) onLine(line.slice(0, MAX_LINE_CHARS).trimEnd());
      if (traffic.add(bytes.length, clock.monotonic()) > MAX_BYTES_PER_SECOND) await clock.sleep(WINDOW_MS, signal);
    }
  };
  await Promise.all([read(), drain(process.stderr)]);
}

/** A program whose errors nobody reads stops. */
async function drain(output: AsyncIterable<Uint8Array>): Promise<void> {
  const chunks = output[Symbol.asyncIterator]();
  while (!(await chunks.next()).done);
}
