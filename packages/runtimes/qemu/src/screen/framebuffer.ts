import type { Area, Shown } from "@terrarium/video";
import type { Size } from "./rfb.ts";

/** For how many pictures it is known what changed: as a watcher sees each, one that is further behind takes all. */
const MAX_KNOWN = 8;

/** The picture of a screen, as far as the server has sent it, and what has changed since when. */
export class Framebuffer implements Shown {
  readonly #watchers = new Set<() => void>();
  readonly #onPainted: () => void;
  #screen: Shown["screen"];
  #picture = 0;
  /** What changed in each of the last pictures. */
  #changes: (readonly Area[])[] = [];
  /** What has been drawn since the last picture. */
  #drawn: Area[] = [];
  #isFinished = false;

  /** @param onPainted is called when a picture was taken: only then is another wanted. */
  constructor(size: Size, onPainted: () => void) {
    this.#screen = blank(size);
    this.#onPainted = onPainted;
  }

  get screen(): Shown["screen"] {
    return this.#screen;
  }

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  paint(): number {
    if (!this.#isFinished) return this.#picture;
    this.#isFinished = false;
    this.#changes = [...this.#changes, this.#drawn].slice(-MAX_KNOWN);
    this.#drawn = [];
    this.#picture++;
    this.#onPainted();
    return this.#picture;
  }

  changedSince(picture: number): readonly Area[] | undefined {
    const missed = this.#picture - picture;
    return missed > this.#changes.length ? undefined : this.#changes.slice(this.#changes.length - missed).flat();
  }

  hold(): void {}
  rest(): void {}

  resize(size: Size): void {
    this.#screen = blank(size);
    this.#changes = [];
    this.#drawn = [];
  }

  /** The memory of an area's rows, to be drawn into. @throws Error if it is not within the screen */
  rowsOf(area: Area): Uint8Array[] {
    const { width, pixels } = this.#within(area);
    this.#drawn.push(area);
    return Array.from({ length: area.height }, (_, row) => {
      const from = ((area.y + row) * width + area.x) * 4;
      return pixels.subarray(from, from + area.width * 4);
    });
  }

  copy(area: Area, fromX: number, fromY: number): void {
    this.#within({ ...area, x: fromX, y: fromY });
    const { width, pixels } = this.#screen;
    const rows = this.rowsOf(area);
    // Rows that are still to be read must not be overwritten.
    const order = [...rows.keys()];
    if (fromY < area.y) order.reverse();
    for (const row of order) {
      const from = ((fromY + row) * width + fromX) * 4;
      pixels.copyWithin(((area.y + row) * width + area.x) * 4, from, from + area.width * 4);
    }
  }

  /** All of an update is drawn. */
  finish(): void {
    this.#isFinished = true;
    for (const watcher of this.#watchers) watcher();
  }

  #within({ x, y, width, height }: Area): Shown["screen"] {
    if (x + width > this.#screen.width || y + height > this.#screen.height)
      throw new Error("the screen draws beyond its edge");
    return this.#screen;
  }
}

const blank = ({ width, height }: Size): Shown["screen"] => ({
  width,
  height,
  pixels: new Uint8Array(width * height * 4),
  animating: false,
});
