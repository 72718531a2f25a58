import { type Picture, scalePicture } from "../encoder/scale-picture.ts";
import type { CreateScreen, Screen, ScreenHost } from "./screen.ts";

/** The device's screen: made when somebody first looks or touches, shared by all who watch. */
export class Display {
  readonly #create: () => Screen;
  readonly #physical: { width: number; height: number };
  readonly #watchers = new Set<() => void>();
  #screen: Screen | undefined;
  #picture = 0;
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

  /** The screen if anybody has needed it yet. */
  get opened(): Screen | undefined {
    return this.#screen;
  }

  /** Calls `watcher` at each change until the answer is called. The last one to go takes the memory for pixels along. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.rest();
    };
  }

  /** Gives back the memory for pixels, megabytes of it, until the next paint. */
  rest(): void {
    this.#screen?.rest();
  }

  /** Paints if something changed. Answers the number of the picture in `screen.pixels`: it grows whenever they may differ. */
  paint(): number {
    if (this.screen.paint()) this.#picture++;
    return this.#picture;
  }

  /** Pixels of the display as the profile has it, turned as it is now. What is drawn and watched may be smaller. */
  get size(): { width: number; height: number } {
    const { width, height } = this.#physical;
    const turned =
      this.screen.width > this.screen.height !== width > height && this.screen.width !== this.screen.height;
    return turned ? { width: height, height: width } : { width, height };
  }

  /** A place on the display as the place on what is drawn. */
  place(x: number, y: number): { x: number; y: number } {
    const { width, height } = this.size;
    return { x: (x * this.screen.width) / width, y: (y * this.screen.height) / height };
  }

  /** The picture as it is now, in the display's own size: RGBA in memory of its own. */
  capture(): Picture {
    this.paint();
    const picture = scalePicture(this.screen, this.size.width, this.size.height);
    if (this.#watchers.size === 0) this.rest();
    return picture;
  }

  close(): void {
    this.#closed = true;
    this.#watchers.clear();
    this.reset();
  }

  /** Forgets what was shown; the next look finds a screen as after a start. */
  reset(): void {
    if (this.#screen) this.#screen.onChange = undefined;
    this.#screen?.close();
    this.#screen = undefined;
  }
}
