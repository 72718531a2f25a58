import type { Clock } from "@terrarium/clock";
import type { AccessUnit } from "../display/display.ts";

/** How long a viewer whose network is congested gets nothing, so that what is in flight can arrive. */
export const PAUSE_MS = 1_000;
/**
 * What is held for a track that is about to open. All of it goes out at once, so it is a small part of what a network may lose there, and
 * less than half of the packets that are retained for retransmission.
 */
const MAX_HELD_UNITS = 15;
const MAX_HELD_BYTES = 250_000;

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
 * and then starts again with a key frame. Only before its track first opens are pictures held, so that it can begin at once; a slow
 * viewer holds up nobody else.
 */
export class VideoFeed {
  readonly #deps: VideoFeedDeps;
  #track: VideoTrack;
  #needsKeyFrame = true;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** The latest key frame and what came since, until the track opens. */
  #held: AccessUnit[] | undefined = [];
  #onFirst: ((keyFrame: AccessUnit) => void) | undefined;
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
    this.#held = undefined;
  }

  /** Calls `show` with the key frame that is held, or with the first one that will be; never once the track has opened. */
  first(show: (keyFrame: AccessUnit) => void): void {
    const keyFrame = this.#held?.[0];
    if (keyFrame) show(keyFrame);
    else this.#onFirst = show;
  }

  /** The track has opened: sends what was held for it. */
  begin(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const unit of held) this.push(unit);
  }

  push(unit: AccessUnit): void {
    if (this.#held) {
      if (!this.#track.isOpen()) return this.#hold(this.#held, unit);
      // It has opened, but says so in a later turn of the event loop.
      this.begin();
    }
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

  /** True while it has no picture to begin with either. */
  get isEmpty(): boolean {
    return this.#needsKeyFrame && !this.#held?.length;
  }

  #hold(held: AccessUnit[], unit: AccessUnit): void {
    const bytes = held.reduce((sum, { data }) => sum + data.length, unit.data.length);
    const isTooMuch = held.length === MAX_HELD_UNITS || bytes > MAX_HELD_BYTES;
    if (unit.keyFrame || isTooMuch) this.skipped += held.splice(0).length;
    if (held.length > 0 || (unit.keyFrame && unit.data.length <= MAX_HELD_BYTES)) held.push(unit);
    else this.skipped++;
    if (!held[0]) return;
    this.#onFirst?.(held[0]);
    this.#onFirst = undefined;
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
