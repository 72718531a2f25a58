import { REPLAY_MS } from "@terrarium/contract";
import type { AccessUnit } from "../display/display.ts";
import type { VideoSize } from "../display/display-source.ts";

/** How much of a device's video is held: at 8 Mbit/s some 24 s; of a screen that seldom changes, all 90. */
export const MAX_VIDEO_BYTES = 24 * 1024 * 1024;
/** How much is held for all devices of a process. */
const MAX_ROOM_BYTES = 512 * 1024 * 1024;
/** What a picture costs beside its bytes. */
const PICTURE_BYTES = 256;
/** A group of pictures longer than this, or as large, is ended by a key frame: old pictures can only go by whole groups. */
const GROUP_MS = 10_000;
const GROUP_BYTES = MAX_VIDEO_BYTES / 4;

export interface RecordedPicture {
  /** By a monotonic clock, in ms. */
  at: number;
  unit: AccessUnit;
  size: VideoSize;
}

/** A key frame and the pictures that need it. */
interface Group {
  pictures: RecordedPicture[];
  bytes: number;
}

/** What several videos may take together. When that is too much, the largest forgets first. */
export class VideoRoom {
  readonly #max: number;
  readonly #videos = new Set<RecordedVideo>();
  #bytes = 0;

  constructor(maxBytes = MAX_ROOM_BYTES) {
    this.#max = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A video takes this many bytes more, or less. */
  took(video: RecordedVideo, bytes: number): void {
    this.#bytes += bytes;
    if (video.bytes > 0) this.#videos.add(video);
    else this.#videos.delete(video);
    if (this.#bytes <= this.#max) return;
    let largest = video;
    for (const each of this.#videos) if (each.bytes > largest.bytes) largest = each;
    largest.forgetOldest();
  }
}

/** The last pictures of a device as they came. They are held, not copied: viewers are sent the same bytes. */
export class RecordedVideo {
  readonly #room: VideoRoom;
  #groups: Group[] = [];
  #bytes = 0;

  constructor(room = new VideoRoom()) {
    this.#room = room;
  }

  /** What it takes, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  add(picture: RecordedPicture): void {
    const { unit, at } = picture;
    if (unit.keyFrame) this.#groups.push({ pictures: [], bytes: 0 });
    const group = this.#groups.at(-1);
    // Without a key frame before it, a picture shows nothing.
    if (!group) return;
    const bytes = unit.data.length + PICTURE_BYTES;
    group.pictures.push(picture);
    group.bytes += bytes;
    this.#change(bytes);
    this.#forgetBefore(at - REPLAY_MS);
    while (this.#bytes > MAX_VIDEO_BYTES) this.forgetOldest();
  }

  /** Whether a key frame should come soon. */
  wantsKeyFrame(now: number): boolean {
    const group = this.#groups.at(-1);
    const first = group?.pictures[0];
    return group === undefined || first === undefined || now - first.at >= GROUP_MS || group.bytes >= GROUP_BYTES;
  }

  /**
   * The pictures of the last 90 s, beginning with the key frame of what was shown then, which may be much older: a device at rest
   * sends nothing.
   */
  since(start: number): RecordedPicture[] {
    this.#forgetBefore(start);
    return this.#groups.flatMap(({ pictures }) => pictures);
  }

  clear(): void {
    this.#groups = [];
    this.#change(-this.#bytes);
  }

  /** Forgets the first key frame and what needs it, which may be all there is. */
  forgetOldest(): void {
    this.#change(-(this.#groups.shift()?.bytes ?? 0));
  }

  /** Groups that were over before. */
  #forgetBefore(start: number): void {
    for (let next = this.#groups[1]; next && (next.pictures[0]?.at ?? 0) <= start; next = this.#groups[1])
      this.forgetOldest();
  }

  #change(bytes: number): void {
    this.#bytes += bytes;
    this.#room.took(this, bytes);
  }
}
