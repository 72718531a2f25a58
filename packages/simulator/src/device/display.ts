import { type Picture, scalePicture } from "../encoder/scale-picture.ts";
import type { Area } from "@terrarium/video";
import type { CreateScreen, Screen, ScreenHost } from "./screen.ts";

/** For how many pictures it is known what changed: a watcher that is further behind takes all of the last one. */
const MAX_KNOWN = 8;

/** The device's screen: created when it is first watched or touched, shared by all watchers. */
export class Display {
  readonly #create: () => Screen;
  readonly #physical: { width: number; height: number };
  readonly #watchers = new Set<() => void>();
  readonly #holders = new Set<object>();
  #screen: Screen | undefined;
  #picture = 0;
  /** What changed in each of the last pictures. */
  #changes: (readonly Area[])[] = [];
  /** Of the last picture. */
  #width = 0;
  #closed = false;

  constructor(createScreen: CreateScreen, host: ScreenHost) {
    this.#create = () => createScreen(host);
    const display = host.spec.hardware.displays[0];
    if (!display) throw new Error("the hardware has no display");
    this.#physical = display;
  }

  get screen(): Screen {
    if (this.#closed) throw new Error("the device has ended");
    if (!this.#screen) {
      this.#screen = this.#create();
      this.#screen.onChange = () => {
        for (const watcher of this.#watchers) watcher();
      };
    }
    return this.#screen;
  }

  /** The screen, if it has been created. */
  get opened(): Screen | undefined {
    return this.#screen;
  }

  /** Calls `watcher` at each change, until the returned function is called. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Holds the memory for pixels, for somebody who follows their changes, until `rest` is called with the same holder. */
  hold(holder: object): void {
    this.#holders.add(holder);
  }

  /** Frees the memory for pixels, which is megabytes, until the next paint, unless somebody else holds it. */
  rest(holder?: object): void {
    if (holder) this.#holders.delete(holder);
    if (this.#holders.size === 0) this.#screen?.rest();
  }

  /** Paints if something changed. Returns the number of the picture in `screen.pixels`, which grows whenever they may differ. */
  paint(): number {
    if (this.screen.paint()) {
      this.#picture++;
      const { width, changed } = this.screen;
      // What changed before it turned is of another picture.
      const before = width === this.#width ? this.#changes : [];
      this.#changes = [...before, changed].slice(-MAX_KNOWN);
      this.#width = width;
    }
    return this.#picture;
  }

  /** Where the picture may differ from the one with this number; undefined if that was too long ago. */
  changedSince(picture: number): readonly Area[] | undefined {
    const missed = this.#picture - picture;
    return missed > this.#changes.length ? undefined : this.#changes.slice(this.#changes.length - missed).flat();
  }

  /** The display's size in pixels by its profile, turned as it is now. What is drawn may be smaller. */
  get size(): { width: number; height: number } {
    const { width, height } = this.#physical;
    const turned =
      this.screen.width > this.screen.height !== width > height && this.screen.width !== this.screen.height;
    return turned ? { width: height, height: width } : { width, height };
  }

  /** Converts a position on the display to one on what is drawn. */
  place(x: number, y: number): { x: number; y: number } {
    const { width, height } = this.size;
    return { x: (x * this.screen.width) / width, y: (y * this.screen.height) / height };
  }

  /** The current picture in the display's own size: a copy in RGBA. */
  capture(): Picture {
    this.paint();
    const picture = scalePicture(this.screen, this.size.width, this.size.height);
    this.rest();
    return picture;
  }

  close(): void {
    this.#closed = true;
    this.#watchers.clear();
    this.#holders.clear();
    this.reset();
  }

  /** Discards the screen; the next one is as after a start. */
  reset(): void {
    if (this.#screen) this.#screen.onChange = undefined;
    this.#screen?.close();
    this.#screen = undefined;
  }
}
