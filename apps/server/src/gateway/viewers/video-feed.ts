import type { Clock } from "@terrarium/clock";
import type { AccessUnit } from "../display/display.ts";

/** How long a viewer whose network is congested gets nothing, so that what is in flight can arrive. */
export const PAUSE_MS = 1_000;

/** Carries access units to one viewer. */
export interface VideoTrack {
  isOpen(): boolean;
  /** Never waits. Returns false or throws when the unit could not be sent. */
  send(unit: AccessUnit): boolean;
}

export interface VideoFeedDeps {
  track: VideoTrack;
  clock: Clock;
  requestKeyFrame(): void;
}

/**
 * Sends one viewer as much as it can take, starting with a key frame. A viewer that falls behind gets nothing for a second
 * and then starts again with a key frame. Nothing is buffered, so a slow viewer holds up nobody else.
 */
export class VideoFeed {
  readonly #deps: VideoFeedDeps;
  #track: VideoTrack;
  #needsKeyFrame = true;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  sent = 0;
  skipped = 0;

  constructor(deps: VideoFeedDeps) {
    this.#deps = deps;
    this.#track = deps.track;
  }

  /** Goes on over this track, with a key frame. */
  use(track: VideoTrack): void {
    this.#track = track;
    this.#needsKeyFrame = true;
  }

  push(unit: AccessUnit): void {
    if (!this.#track.isOpen() || this.#deps.clock.monotonic() < this.#pausedUntil) {
      this.#needsKeyFrame = true;
      this.skipped++;
    } else if (this.#needsKeyFrame && !unit.keyFrame) {
      this.#deps.requestKeyFrame();
      this.skipped++;
    } else {
      this.#send(unit);
    }
  }

  /** The viewer's network is congested. */
  pause(): void {
    const { clock } = this.#deps;
    this.#pausedUntil = clock.monotonic() + PAUSE_MS;
    this.#needsKeyFrame = true;
  }

  /** True while the viewer has missed units and its picture is out of date. */
  get behind(): boolean {
    return this.#needsKeyFrame;
  }

  #send(unit: AccessUnit): void {
    let taken = false;
    try {
      taken = this.#track.send(unit);
    } catch {
      // The track closed after `isOpen` was asked; the peer reports that itself.
    }
    this.#needsKeyFrame = !taken;
    if (taken) this.sent++;
    else this.skipped++;
  }
}
