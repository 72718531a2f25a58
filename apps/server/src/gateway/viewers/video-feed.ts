import type { Clock } from "@terrarium/clock";
import type { AccessUnit } from "../display/display.ts";

/** How long a viewer whose network is full gets nothing, so that what is on the way can arrive. */
export const PAUSE_MS = 1_000;

/** The way of units to one viewer. */
export interface VideoTrack {
  isOpen(): boolean;
  /** Never waits. False or an error when the unit was not taken. */
  send(unit: AccessUnit): boolean;
}

export interface VideoFeedDeps {
  track: VideoTrack;
  clock: Clock;
  requestKeyFrame(): void;
}

/**
 * Sends one viewer what it can take. It begins with a key frame; a viewer that falls behind goes without for a second and
 * then begins with a key frame again. Nobody else waits for it: packets are sent or lost, and nothing of them is kept.
 */
export class VideoFeed {
  readonly #deps: VideoFeedDeps;
  #needsKeyFrame = true;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  sent = 0;
  skipped = 0;

  constructor(deps: VideoFeedDeps) {
    this.#deps = deps;
  }

  push(unit: AccessUnit): void {
    const { track, clock } = this.#deps;
    if (!track.isOpen() || clock.now() < this.#pausedUntil) {
      this.#needsKeyFrame = true;
      this.skipped++;
    } else if (this.#needsKeyFrame && !unit.keyFrame) {
      this.#deps.requestKeyFrame();
      this.skipped++;
    } else {
      this.#send(unit);
    }
  }

  /** The viewer's network is full. */
  pause(): void {
    const { clock } = this.#deps;
    this.#pausedUntil = clock.now() + PAUSE_MS;
    this.#needsKeyFrame = true;
  }

  /** True while the viewer has gone without and its picture is old. */
  get behind(): boolean {
    return this.#needsKeyFrame;
  }

  #send(unit: AccessUnit): void {
    let taken = false;
    try {
      taken = this.#deps.track.send(unit);
    } catch {
      // The track closed between the question and the sending; its end is told elsewhere.
    }
    this.#needsKeyFrame = !taken;
    if (taken) this.sent++;
    else this.skipped++;
  }
}
