import { createCanvas, ImageData, type Canvas } from "@napi-rs/canvas";
import { rect } from "./draw/rect.ts";
import { Pen } from "./draw/pen.ts";
import { Sheet } from "./draw/sheet.ts";
import { fitDisplay } from "./fit.ts";
import { createLook, createWatchLook, type Look } from "./look/look.ts";
import { emptyCanvas } from "./draw/empty-canvas.ts";
import { type SharedWallpaper, takeWallpaper } from "./look/shared-wallpaper.ts";
import {
  type Area,
  canTurn,
  type CreateScreen,
  type Screen,
  type ScreenHost,
  type TouchAction,
  type ViewNode,
} from "@terrarium/simulator/screen";
import { pressKey } from "./system/system-keys.ts";
import { System } from "./system/system.ts";
import { Touch } from "./ui/touch.ts";
import { Ui } from "./ui/ui.ts";
import { viewTree } from "./ui/view-tree.ts";

/** How far one notch of a wheel moves a list, in dp. */
const NOTCH = 72;

/** If a change was not painted for this long, nobody is watching. */
const UNWATCHED_MS = 250;

/** How long the picture takes to turn. */
const TURN_MS = 240;

/** After this long without a paint the picture's memory is freed: 20 MB on a large phone. */
const UNUSED_MS = 60_000;

/** Creates the screen of a device. Nothing is drawn and no memory for pixels is taken before the first paint or touch. */
export const createScreen: CreateScreen = (host) => new DrawnScreen(host);

class DrawnScreen implements Screen {
  onChange: (() => void) | undefined;
  pixels: Uint8Array = new Uint8Array(0);
  changed: readonly Area[] = [];
  readonly #host: ScreenHost;
  readonly #ui = new Ui();
  readonly #touch = new Touch(this.#ui);
  readonly #system: System;
  readonly #natural: { width: number; height: number; pixelsPerDp: number };
  readonly #unwatch: () => void;
  readonly #sheet = new Sheet();
  /** The size of the picture in `pixels`. */
  #shown = { width: 0, height: 0 };
  #wallpaper: (SharedWallpaper & { key: string }) | undefined;
  #look: Look;
  /** Whether the sheet must be drawn again, and whether it was drawn but not painted yet. */
  #stale = true;
  #unseen = true;
  #changedAt = 0;
  /** The picture as it was before it turned, which fades while the device turns. */
  #before: { canvas: Canvas; quarters: number; at: number } | undefined;
  #rotation = 0;
  #wake: { at: number; stop: AbortController } | undefined;

  constructor(host: ScreenHost) {
    this.#host = host;
    const display = host.spec.hardware.displays[0];
    if (!display) throw new Error("the hardware has no display");
    this.#natural = fitDisplay(display, host.spec.hardware.formFactor);
    this.#look = this.#lookNow();
    this.#ui.compact = host.spec.hardware.formFactor === "WATCH";
    this.#system = new System(host, { ui: this.#ui, wallpaper: () => this.#paperFor() });
    this.#unwatch = host.state.watch((changed) => {
      if (changed.screenOn === false) this.#system.lock();
      // The clipboard is the only value that is not visible anywhere.
      if (Object.keys(changed).join() !== "clipboard") this.#changed();
    });
  }

  get width(): number {
    return this.#turned ? this.#natural.height : this.#natural.width;
  }

  get height(): number {
    return this.#turned ? this.#natural.width : this.#natural.height;
  }

  get #turned(): boolean {
    return canTurn(this.#host.spec.hardware.formFactor) && this.#host.state.values.rotation % 2 === 1;
  }

  #lookNow(): Look {
    const { image, hardware } = this.#host.spec;
    const watch = hardware.formFactor === "WATCH";
    const dark = watch || this.#host.state.values.darkTheme;
    // The field is not set yet when the constructor asks.
    const known = this.#look as Look | undefined;
    if (known?.dark === dark) return known;
    return watch ? createWatchLook(image.osVersion) : createLook(image.osVersion, dark);
  }

  get animating(): boolean {
    return this.#ui.motion;
  }

  get focused(): string {
    return this.#system.tasks.focused;
  }

  paint(): boolean {
    const isResting = this.pixels.length === 0;
    if (!this.#stale && !this.#unseen && !this.#ui.motion && !isResting) return false;
    if (this.#stale || this.#ui.motion || isResting) this.#draw();
    if (this.pixels.length === 0) this.pixels = new Uint8Array(this.width * this.height * 4);
    this.changed = this.#sheet.paint(this.pixels);
    this.#unseen = false;
    return this.changed.length > 0;
  }

  touch(action: TouchAction, pointerId: number, x: number, y: number): void {
    if (!this.#host.state.values.screenOn) return;
    // Touches go to what is drawn: it must be up to date.
    if (action === "down" && (this.#stale || this.#ui.motion)) this.#draw();
    const now = this.#host.clock.monotonic();
    const at = { x: x / this.#natural.pixelsPerDp, y: y / this.#natural.pixelsPerDp };
    this.#ui.now = now;
    let isHeard = false;
    if (action === "down") isHeard = this.#touch.down(pointerId, at, now);
    else if (action === "move") this.#touch.move(pointerId, at, now);
    else if (action === "up") isHeard = this.#touch.up(pointerId, at, now);
    else this.#touch.cancel(pointerId, now);
    if (isHeard) this.#host.click();
    this.#changed();
  }

  scroll(x: number, y: number, horizontal: number, vertical: number): void {
    if (!this.#host.state.values.screenOn) return;
    if (this.#stale || this.#ui.motion) this.#draw();
    const at = { x: x / this.#natural.pixelsPerDp, y: y / this.#natural.pixelsPerDp };
    const lists = this.#ui.under(at).flatMap((hit) => hit.scroll ?? []);
    const down = lists.find((list) => list.axis === "y");
    const across = lists.find((list) => list.axis === "x");
    const now = this.#host.clock.monotonic();
    if (vertical !== 0) down?.scroller.glide(-vertical * NOTCH, now);
    if (horizontal !== 0) across?.scroller.glide(-horizontal * NOTCH, now);
    if (down ?? across) this.#changed();
  }

  key(action: "down" | "up", keyCode: number, metaState: number): void {
    if (action === "up") return;
    // The arrow keys go by what was drawn last.
    if (this.#stale) this.#draw();
    this.#ui.now = this.#host.clock.monotonic();
    pressKey(this.#system, this.#ui, keyCode, metaState);
    this.#changed();
  }

  text(text: string): void {
    if (!this.#host.state.values.screenOn) return;
    this.#system.type(text);
    this.#changed();
  }

  startApp(packageName: string): boolean {
    const opened = this.#system.open(packageName);
    if (opened) this.#changed();
    return opened;
  }

  view(): ViewNode {
    const isResting = this.pixels.length === 0;
    if (this.#stale || isResting) this.#draw();
    const { hits, texts, focus, focusShown, screen } = this.#ui;
    const tree = viewTree({ hits, texts, focus: focusShown ? focus : undefined }, screen, this.#natural.pixelsPerDp);
    if (isResting) this.rest();
    return tree;
  }

  rest(): void {
    this.#dropPixels();
    this.#sheet.forget();
    this.#dropBefore();
    this.#wallpaper?.release();
    this.#wallpaper = undefined;
  }

  close(): void {
    this.#unwatch();
    this.#wake?.stop.abort();
    this.rest();
    this.onChange = undefined;
  }

  #changed(): void {
    if (this.#stale) return;
    this.#stale = true;
    this.#changedAt = this.#host.clock.monotonic();
    this.onChange?.();
  }

  /** Makes room for a picture of the size that the screen has now. What was shown before it turned is retained for a while. */
  #fit(): void {
    const { width, height } = this;
    const { values } = this.#host.state;
    if (this.#shown.width === width && this.#shown.height === height) return;
    this.#dropBefore();
    if (this.pixels.length > 0) {
      const canvas = createCanvas(this.#shown.width, this.#shown.height);
      const shown = new ImageData(new Uint8ClampedArray(this.pixels), canvas.width, canvas.height);
      canvas.getContext("2d").putImageData(shown, 0, 0);
      this.#before = { canvas, quarters: this.#rotation - values.rotation, at: this.#host.clock.monotonic() };
    }
    this.#shown = { width, height };
    this.#sheet.forget();
    this.#dropPixels();
  }

  #dropBefore(): void {
    if (this.#before) emptyCanvas(this.#before.canvas);
    this.#before = undefined;
  }

  /** What was shown stays where it is on the glass and makes way for what is upright now. */
  #drawBefore(): void {
    if (!this.#before) return;
    const { canvas, quarters, at } = this.#before;
    const left = 1 - (this.#ui.now - at) / TURN_MS;
    if (left <= 0 || this.#ui.late) return this.#dropBefore();
    const g = this.#sheet;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.set({ globalAlpha: left });
    g.translate(this.width / 2, this.height / 2);
    g.rotate((quarters * Math.PI) / 2);
    g.drawImage(canvas, -canvas.width / 2, -canvas.height / 2);
    this.#ui.motion = true;
  }

  #draw(): void {
    const { values } = this.#host.state;
    this.#look = this.#lookNow();
    this.#fit();
    this.#sheet.begin(this.width, this.height);
    const pen = new Pen(this.#sheet, this.#natural.pixelsPerDp);
    pen.fontScale = Math.min(2, Math.max(0.7, values.fontScale));
    const { pixelsPerDp } = this.#natural;
    this.#ui.begin(
      pen,
      this.#look,
      this.#host.clock.monotonic(),
      rect(0, 0, this.width / pixelsPerDp, this.height / pixelsPerDp),
    );
    this.#ui.late = this.#stale && this.#ui.now - this.#changedAt > UNWATCHED_MS;
    this.#stale = false;
    this.#unseen = true;
    this.#ui.wake(this.#touch.tick(this.#ui.now));
    this.#system.draw();
    this.#drawBefore();
    this.#rotation = values.rotation;
    this.#sleepUntil(this.#ui.wakeAt);
  }

  #paperFor(): Canvas {
    const key = `${this.width}x${this.height} ${this.#look.dark}`;
    if (this.#wallpaper?.key !== key) {
      this.#wallpaper?.release();
      this.#wallpaper = { key, ...takeWallpaper(this.#look.dark, this.width, this.height) };
    }
    return this.#wallpaper.canvas;
  }

  /** Sleeps until the picture changes by itself. There is one sleep at a time, renewed by each paint. */
  #sleepUntil(at: number): void {
    const now = this.#host.clock.monotonic();
    if (this.#wake?.at === at && at > now) return;
    this.#wake?.stop.abort();
    this.#wake = undefined;
    if (!Number.isFinite(at)) return;
    const stop = new AbortController();
    this.#wake = { at, stop };
    void this.#wakeAfter(Math.max(1, at - now), stop.signal);
  }

  /** Without a paint after the change nobody is watching, and the memory is freed. */
  async #wakeAfter(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#host.clock.sleep(ms, signal);
      this.#changed();
      await this.#host.clock.sleep(UNUSED_MS, signal);
    } catch {
      return;
    }
    this.#wake = undefined;
    this.rest();
  }

  /** Detaches the buffer of the last paint, which frees its memory outside the heap at once instead of at some collection. */
  #dropPixels(): void {
    (this.pixels.buffer as ArrayBuffer).transfer(0);
    this.pixels = new Uint8Array(0);
  }
}
