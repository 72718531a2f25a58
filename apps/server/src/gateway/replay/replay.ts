import type { Clock } from "@terrarium/clock";
import { REPLAY_MS, type ReplayHappening, type ReplayStory } from "@terrarium/contract";
import type { ControlMessage } from "@terrarium/scrcpy";
import type { Logger } from "../../platform/log.ts";
import type { Display } from "../display/display.ts";
import type { DisplaySource, VideoSize } from "../display/display-source.ts";
import { RateWindow } from "../rate-window.ts";
import type { ToolLink } from "../tools/tool.ts";
import { adbInputs } from "./adb-input.ts";
import { followLog } from "./follow-log.ts";
import { inputEvent } from "./input-event.ts";
import { RecordedEvents } from "./recorded-events.ts";
import { type RecordedPicture, RecordedVideo, type VideoRoom } from "./recorded-video.ts";

const MAX_EVENTS = 10_000;
const MAX_LINES = 4_000;
/** Between two readings of the log. */
const LOG_PAUSE_MS = 5_000;
/** The fastest mice report a thousand positions a second. */
const MOVE_INTERVAL_MS = 16;
/** Keys that follow each other so closely are one typing: their number may be that of a password's characters. */
const TYPING_PAUSE_MS = 2_000;
/** A stick or a slider sends many commands. */
const GADGET_INTERVAL_MS = 1_000;
/** In a second. A program may have adb touch without a pause. */
const MAX_ADB_EVENTS = 20;
/** Between pictures from before the beginning, which only those after them need. */
const SQUEEZED_MS = 0.1;

/** Android says so when an app's first picture is there, before version 10 under the second name. */
const DISPLAYED = / I (?:ActivityTaskManager|ActivityManager) *: Displayed ([\w.]+)\//;

export interface ReplayDeps {
  display: Pick<Display, "attach" | "requestKeyFrame">;
  source: Pick<DisplaySource, "size">;
  /** Reads the log; without it there is none. */
  link: Pick<ToolLink, "spawn"> | undefined;
  /** What this video shares with others. */
  room?: VideoRoom | undefined;
  clock: Clock;
  log: Logger;
}

/** What was recorded, up to now. Times of pictures are milliseconds since the beginning. */
export interface Clip {
  pictures: RecordedPicture[];
  story: ReplayStory;
}

/**
 * The last 90 s of a device: its video as it is, what was done to it and what it logged, by one clock. It is recorded while somebody
 * watches, and for as long as the display stays awake after that; what is done over adb, always.
 */
export class Replay {
  readonly #deps: ReplayDeps;
  readonly #video: RecordedVideo;
  readonly #events = new RecordedEvents(MAX_EVENTS);
  readonly #lines = new RecordedEvents(MAX_LINES);
  readonly #movedAt = new Map<number, number>();
  readonly #gadgetAt = new Map<string, number>();
  readonly #adbRate = new RateWindow(1_000);
  #size: VideoSize | undefined;
  #lastLine: string | undefined;
  #recording: AbortController | undefined;

  constructor(deps: ReplayDeps) {
    this.#deps = deps;
    this.#video = new RecordedVideo(deps.room);
  }

  /** Records from now on. */
  start(): void {
    if (this.#recording) return;
    const { display, link, clock, log } = this.#deps;
    const recording = new AbortController();
    const { signal } = recording;
    this.#recording = recording;
    signal.addEventListener(
      "abort",
      display.attach((unit) => this.#take({ unit, at: clock.monotonic(), size: this.#currentSize() })),
    );
    if (!link) return;
    this.#follow(link, signal).catch((error: unknown) => {
      if (!signal.aborted) log.debug({ err: error }, "a device's log cannot be read");
    });
  }

  /** Reads the log, also after the device has ended it, as it does when its log restarts. Never resolves. */
  async #follow(link: Pick<ToolLink, "spawn">, signal: AbortSignal): Promise<never> {
    const { clock } = this.#deps;
    for (;;) {
      let isFirst = true;
      const onLine = (line: string) => {
        // It begins with the newest line of before, which is known if the log was read before.
        if (!isFirst || line !== this.#lastLine) this.#logged(line);
        isFirst = false;
      };
      await followLog({ link, clock, signal, onLine });
      await clock.sleep(LOG_PAUSE_MS, signal);
    }
  }

  /** Records no more; what there is stays. */
  stop(): void {
    this.#recording?.abort(new Error("nobody watches"));
    this.#recording = undefined;
  }

  forget(): void {
    this.#video.clear();
    this.#events.clear();
    this.#lines.clear();
    this.#size = undefined;
  }

  /** Somebody sends this to the device. */
  sent(message: ControlMessage): void {
    const now = this.#deps.clock.monotonic();
    const event = inputEvent(message, now);
    if (event) this.#did(event, now);
  }

  /** Somebody's adb runs this on the device. */
  ran(command: string): void {
    const now = this.#deps.clock.monotonic();
    for (const event of adbInputs(command, now)) this.#did(event, now);
  }

  #did(event: ReplayHappening, now: number): void {
    if (event.type === "touch" && this.#isTooSoon(event, now)) return;
    if (event.type === "adb" && this.#adbRate.add(1, now) > MAX_ADB_EVENTS) return;
    const { latest } = this.#events;
    if (event.type === "typing" && latest?.type === "typing" && now - latest.until < TYPING_PAUSE_MS)
      latest.until = now;
    else this.note(event, now);
  }

  usedGadget(name: string): void {
    const now = this.#deps.clock.monotonic();
    if (now - (this.#gadgetAt.get(name) ?? Number.NEGATIVE_INFINITY) < GADGET_INTERVAL_MS) return;
    this.#gadgetAt.set(name, now);
    this.note({ type: "gadget", name }, now);
  }

  note(event: ReplayHappening, at = this.#deps.clock.monotonic()): void {
    this.#events.add({ ...event, at });
  }

  /** What there is; undefined if there is no picture. */
  clip(): Clip | undefined {
    const { clock } = this.#deps;
    const now = clock.monotonic();
    const pictures = this.#video.since(now - REPLAY_MS);
    const [first] = pictures;
    if (!first) return undefined;
    const start = Math.max(first.at, now - REPLAY_MS);
    let last = -SQUEEZED_MS;
    const timed = pictures.map((picture) => {
      last = Math.max(picture.at - start, last + SQUEEZED_MS);
      return { ...picture, at: last };
    });
    return { pictures: timed, story: this.#storySince(start) };
  }

  /** What happened, even where there is no picture: while nobody watches, commands over adb are still recorded, but no lines of the log. */
  story(): ReplayStory {
    return this.#storySince(this.#deps.clock.monotonic() - REPLAY_MS);
  }

  #storySince(start: number): ReplayStory {
    const { clock } = this.#deps;
    const duration_ms = clock.monotonic() - start;
    const events = [...this.#events.since(start), ...this.#lines.since(start)].toSorted((a, b) => a.at - b.at);
    return { version: 1, began_at: new Date(clock.now() - duration_ms).toISOString(), duration_ms, events };
  }

  #currentSize(): VideoSize {
    const { width, height } = this.#deps.source.size;
    if (this.#size?.width !== width || this.#size.height !== height) {
      if (this.#size) this.note({ type: "turn", width, height });
      this.#size = { width, height };
    }
    return this.#size;
  }

  #take(picture: RecordedPicture): void {
    this.#video.add(picture);
    if (this.#video.wantsKeyFrame(picture.at)) this.#deps.display.requestKeyFrame();
  }

  #logged(text: string): void {
    this.#lastLine = text;
    this.#lines.add({ type: "log", text, at: this.#deps.clock.monotonic() });
    const name = DISPLAYED.exec(text)?.[1];
    if (name !== undefined) this.note({ type: "app", name });
  }

  #isTooSoon({ action, finger }: { action: string; finger: number }, now: number): boolean {
    const isTooSoon = action === "move" && now - (this.#movedAt.get(finger) ?? 0) < MOVE_INTERVAL_MS;
    if (action === "up") this.#movedAt.delete(finger);
    else if (!isTooSoon) this.#movedAt.set(finger, now);
    return isTooSoon;
  }
}
