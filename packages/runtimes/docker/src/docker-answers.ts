import { abortable, type Clock, within } from "@terrarium/clock";

/** Docker makes or removes what it is asked to in less, unless it hangs. */
const WORK_TIMEOUT_MS = 60_000;

/** Asks Docker for something, and waits for a limited time. */
export type Ask = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** In time: a Docker that hangs would never answer. */
export const askIn =
  (clock: Clock, timeoutMs = WORK_TIMEOUT_MS, end: AbortSignal = new AbortController().signal): Ask =>
  (work) =>
    within(timeoutMs, clock, end, (signal) => abortable(work(), signal));

/** It was not there, or is being removed by somebody else. */
export function unlessGone(error: unknown): undefined {
  const { statusCode } = error as { statusCode?: number };
  if (statusCode !== 404 && !(statusCode === 409 && /already in progress/.test(String(error)))) throw error;
}

/** What a container has printed comes in frames, as in a tunnel. */
export function textOf(framed: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= framed.length;) {
    const end = at + 8 + framed.readUInt32BE(at + 4);
    parts.push(framed.subarray(at + 8, end));
    at = end;
  }
  return Buffer.concat(parts).toString();
}

/** Without what the library says around it. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^\(HTTP code \d+\) [^-]* - /, "").trim();
