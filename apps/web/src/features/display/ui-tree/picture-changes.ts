import type { Clock } from "@terrarium/clock";
import { watchFrames } from "../watch-frames.ts";

/** The picture is looked at as so many squares. */
const SIDE = 48;
/** By how much the brightness of a square differs, of 255, where it is more than the encoder's doing. */
const DIFFERENT = 24;
/** What was there so shortly before is a caret that blinks. */
const BLINK_MS = 2_000;
const REMEMBERED = 4;
/** Between two readings of what cannot be looked at. */
const BLIND_MS = 5_000;

/** Distinguishes what is new on a picture from what only blinks. */
export class PictureChanges {
  /** What was seen, the newest last, and when. */
  #seen: { squares: Uint8Array; at: number }[] = [];

  /** Whether these squares are something new. */
  isNew(squares: Uint8Array, now: number): boolean {
    const before = this.#seen.at(-1);
    const isFirst = before === undefined;
    if (before && areAlike(before.squares, squares)) {
      before.at = now;
      return false;
    }
    if (before) before.at = now;
    const known = this.#seen.find((each) => now - each.at < BLINK_MS && areAlike(each.squares, squares));
    this.#seen = [...this.#seen.filter((each) => each !== known), { squares, at: now }].slice(-REMEMBERED);
    return !isFirst && !known;
  }
}

const areAlike = (a: Uint8Array, b: Uint8Array): boolean =>
  a.every((value, at) => Math.abs(value - (b[at] ?? 0)) <= DIFFERENT);

/**
 * Calls `onChange` when a video shows something new, until the signal aborts. In a browser that does not report frames it is called every
 * few seconds.
 */
export function watchPicture(video: HTMLVideoElement, onChange: () => void, clock: Clock, signal: AbortSignal): void {
  if (!("requestVideoFrameCallback" in video)) {
    callAgain(onChange, clock, signal).catch(() => undefined);
    return;
  }
  const changes = new PictureChanges();
  const look = (frame: Uint8ClampedArray) => {
    // Green is most of what is bright.
    const squares = Uint8Array.from({ length: SIDE * SIDE }, (_, at) => frame[at * 4 + 1] ?? 0);
    if (changes.isNew(squares, clock.monotonic())) onChange();
  };
  watchFrames(video, SIDE, look, clock, signal);
}

async function callAgain(call: () => void, clock: Clock, signal: AbortSignal): Promise<never> {
  for (;;) {
    await clock.sleep(BLIND_MS, signal);
    call();
  }
}
