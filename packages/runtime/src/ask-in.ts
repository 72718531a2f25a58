import { abortable, type Clock, within } from "@terrarium/clock";

/** An engine makes or removes what it is asked to in less, unless it hangs. */
const WORK_TIMEOUT_MS = 60_000;

/** Asks an engine for something, and waits for a limited time. */
export type Ask = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** In time: an engine that hangs would never answer. */
export const askIn =
  (clock: Clock, timeoutMs = WORK_TIMEOUT_MS, end: AbortSignal = new AbortController().signal): Ask =>
  (work) =>
    within(timeoutMs, clock, end, (signal) => abortable(work(), signal));
