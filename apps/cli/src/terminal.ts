import type { Clock } from "@terrarium/clock";

/** What the command line reads, writes and waits by. */
export interface Terminal {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  env: Readonly<Record<string, string | undefined>>;
  /** Where it stores its settings and the state of its tunnels. */
  folder: string;
  clock: Clock;
  fetch: typeof fetch;
  /** Aborts on SIGINT, SIGTERM and SIGHUP. */
  signal: AbortSignal;
}
