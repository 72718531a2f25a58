import type { AccessUnit } from "../display/display.ts";

/** A viewer that has this much unsent has fallen behind: about a second of a busy screen. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** The way of units to one viewer. */
export interface VideoTrack {
  isOpen(): boolean;
  /** Bytes that were given to it and are not on the wire. */
  bufferedBytes(): number;
  /** False or an error when it was not taken. */
  send(unit: AccessUnit): boolean;
}

/**
 * Sends one viewer what it can take. It begins with a key frame; a viewer that falls behind goes without until it has caught
 * up, and then begins with a key frame again. Nobody else waits for it.
 */
export class VideoFeed {
  readonly #track: VideoTrack;
  readonly #requestKeyFrame: () => void;
  #needsKeyFrame = true;
  sent = 0;
  skipped = 0;

  constructor(track: VideoTrack, requestKeyFrame: () => void) {
    this.#track = track;
    this.#requestKeyFrame = requestKeyFrame;
  }

  push(unit: AccessUnit): void {
    if (!this.#track.isOpen()) {
      this.#needsKeyFrame = true;
      this.skipped++;
    } else if (this.#track.bufferedBytes() > MAX_BUFFERED_BYTES) {
      this.#needsKeyFrame = true;
      this.skipped++;
    } else if (this.#needsKeyFrame && !unit.keyFrame) {
      this.#requestKeyFrame();
      this.skipped++;
    } else {
      this.#send(unit);
    }
  }

  #send(unit: AccessUnit): void {
    let taken = false;
    try {
      taken = this.#track.send(unit);
    } catch {
      // The track closed between the question and the sending; its end is told elsewhere.
    }
    this.#needsKeyFrame = !taken;
    if (taken) this.sent++;
    else this.skipped++;
  }
}
