import type { Clock } from "@terrarium/clock";
import { type Capture, limits } from "@terrarium/contract";
import type { RecordingEnd } from "@terrarium/player";
import { PassThrough } from "node:stream";
import type { CaptureStart, OpenedCapture } from "../../features/captures/save-capture.ts";
import type { Logger } from "../../platform/log.ts";
import type { Display } from "../display/display.ts";
import type { DisplaySource, VideoSize } from "../display/display-source.ts";
import { createMp4, type Mp4 } from "../mp4/mp4.ts";
import type { Room } from "../room.ts";
import { pictureTime } from "./picture-time.ts";

/** How long it goes on when who began it has no page of the device open any more: reloading takes less. */
const LINGER_MS = 30_000;
/** What waits for a file store that is slower than the device. */
const MAX_UNWRITTEN_BYTES = 32 * 1024 ** 2;
/** Each has a place in the index, which is in memory; 277 a second make as many in half an hour. */
const MAX_PICTURES = 500_000;

/** Makes room for a capture. @throws CAPTURES_FULL */
export type OpenCapture = (start: CaptureStart) => Promise<OpenedCapture>;

/** Who captures what. */
export type Maker = Omit<CaptureStart, "kind">;

export interface RecorderDeps {
  display: Display;
  source: Pick<DisplaySource, "size">;
  room: Room;
  open: OpenCapture;
  /** Whether somebody has a page of the device open. */
  isHere: (user: string) => boolean;
  /** Called with each pending save, which a process that ends waits for. */
  onSaving: (saving: Promise<unknown>) => void;
  clock: Clock;
  log: Logger;
  /** Aborts when the device is over. */
  over: AbortSignal;
}

interface Running {
  user: string;
  stop: AbortController;
  /** The capture once it is saved; undefined if nothing could be. */
  saved: Promise<Capture | undefined>;
}

/**
 * Records the video of one device as its viewers get it, one recording at a time. It ends when it is asked to, at its limits, with the
 * device, or soon after whoever began it has left, and is saved in each case. It is announced to all pages.
 */
export class Recorder {
  readonly #deps: RecorderDeps;
  #starting: Promise<void> | undefined;
  #running: Running | undefined;
  /** Waits for whoever began it to come back; aborted when they have left again. */
  #lingering: AbortController | undefined;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  /** Begins one, unless one runs already; one that has ended is saved first. @throws CAPTURES_FULL */
  start(maker: Maker): Promise<void> {
    this.#starting ??= this.#begin(maker).finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  /** Ends the one that runs; resolves with the capture when it is saved, or with nothing. */
  async stop(): Promise<Capture | undefined> {
    await this.#starting?.catch(() => undefined);
    const running = this.#running;
    running?.stop.abort("asked" satisfies RecordingEnd);
    return running?.saved;
  }

  /** A page of theirs was closed. */
  left(user: string): void {
    const running = this.#running;
    const { isHere, clock } = this.#deps;
    if (running?.user !== user || isHere(user)) return;
    this.#lingering?.abort();
    const lingering = (this.#lingering = new AbortController());
    clock.sleep(LINGER_MS, AbortSignal.any([running.stop.signal, lingering.signal])).then(
      () => isHere(user) || running.stop.abort("left" satisfies RecordingEnd),
      () => undefined,
    );
  }

  async #begin(maker: Maker): Promise<void> {
    const before = this.#running;
    if (before && !before.stop.signal.aborted) return;
    // It is about to be saved.
    await before?.saved;
    const { open, onSaving, over } = this.#deps;
    const capture = await open({ ...maker, kind: "recording" });
    const stop = new AbortController();
    const running = { user: maker.user, stop, saved: this.#record(capture, stop) };
    this.#running = running;
    onSaving(running.saved);
    over.addEventListener("abort", () => stop.abort("over" satisfies RecordingEnd), {
      once: true,
      signal: stop.signal,
    });
    if (over.aborted) stop.abort("over" satisfies RecordingEnd);
    this.left(maker.user);
  }

  async #record(capture: OpenedCapture, stop: AbortController): Promise<Capture | undefined> {
    const { display, source, room, clock, log } = this.#deps;
    const unwritten = new PassThrough();
    // Its error is met where it is read.
    unwritten.on("error", () => undefined);
    const timeOf = pictureTime();
    let begun: { mp4: Mp4; size: VideoSize; saving: Promise<Capture> } | undefined;
    const begin = () => {
      const size = source.size;
      const mp4 = createMp4({ ...size, write: (bytes) => void unwritten.write(bytes) });
      const saving = capture.save(unwritten, {
        facts: () => ({ ...size, durationMs: Math.round(mp4.durationMs) }),
        onFull: () => stop.abort("full" satisfies RecordingEnd),
      });
      // Its error is met where it is awaited.
      saving.catch(() => stop.abort("failed" satisfies RecordingEnd));
      return { mp4, size, saving };
    };
    const detach = display.attach(({ data, ptsUs, keyFrame: isKey }) => {
      if (stop.signal.aborted) return;
      if (!begun && !isKey) return display.requestKeyFrame();
      const { mp4 } = (begun ??= begin());
      mp4.add({ data, atMs: timeOf(ptsUs, clock.monotonic()), isKey });
      const waits = unwritten.writableLength + unwritten.readableLength;
      if (mp4.bytes >= limits.recordingBytes || mp4.pictures >= MAX_PICTURES)
        stop.abort("limit" satisfies RecordingEnd);
      else if (waits > MAX_UNWRITTEN_BYTES) stop.abort("failed" satisfies RecordingEnd);
    });
    display.requestKeyFrame();
    room.record(clock.monotonic(), clock.monotonic());
    await clock.sleep(limits.recordingMinutes * 60_000, stop.signal).then(
      () => stop.abort("limit" satisfies RecordingEnd),
      () => undefined,
    );
    detach();
    room.record(undefined, clock.monotonic());
    try {
      begun?.mp4.end(clock.monotonic());
      unwritten.end();
    } catch (error) {
      // An index that cannot be written: what reads it fails, and with that the save.
      unwritten.destroy(error as Error);
    }
    const saved = await (begun ? begun.saving : capture.drop().then(() => undefined)).catch((error: unknown) => {
      log.warn({ err: error }, "a recording could not be kept");
      return undefined;
    });
    this.#running = undefined;
    room.notifyRecorded(stop.signal.reason as RecordingEnd, saved !== undefined);
    return saved;
  }
}
