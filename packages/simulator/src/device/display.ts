import type { CreateScreen, Screen, ScreenHost } from "../screen/screen.ts";

/** The device's screen: made when somebody first looks or touches, shared by all who watch. */
export class Display {
  readonly #create: () => Screen;
  readonly #watchers = new Set<() => void>();
  #screen: Screen | undefined;
  #picture = 0;
  #closed = false;

  constructor(createScreen: CreateScreen, host: ScreenHost) {
    this.#create = () => createScreen(host);
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

  /** Calls `watcher` at each change until the answer is called. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Paints if something changed. Answers the number of the picture in `screen.pixels`: it grows whenever they may differ. */
  paint(): number {
    if (this.screen.paint()) this.#picture++;
    return this.#picture;
  }

  /** The picture as it is now: RGBA in memory of its own. */
  capture(): { width: number; height: number; pixels: Uint8Array } {
    this.paint();
    const { width, height, pixels } = this.screen;
    return { width, height, pixels: pixels.slice() };
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
