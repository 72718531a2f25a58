import { alpha } from "../draw/color.ts";
import type { Pen } from "../draw/pen.ts";
import { contains, inset, intersect, rect, type Rect } from "../draw/rect.ts";
import type { Look } from "../look/look.ts";
import type { Hit, PaintedText, Point, ScrollHit } from "./hit.ts";
import { Scroller } from "./scroller.ts";

const RIPPLE_MS = 260;
const RELEASE_MS = 180;
const EVERYWHERE = rect(-1e5, -1e5, 2e5, 2e5);

interface Press {
  at: Point;
  downAt: number;
  upAt: number | undefined;
}

interface Ease {
  from: number;
  to: number;
  start: number;
  /** A finger holds it where it is. */
  held?: boolean;
}

export type AreaOptions = Partial<
  Pick<Hit, "tap" | "hold" | "down" | "follow" | "drag" | "blocks" | "absorbs" | "label" | "checked" | "edits">
> & {
  /** Shows the press as a growing spot of this colour, inside corners of this radius. */
  ripple?: { color: string; radius: number };
  /** If false, the arrow keys do not stop here. */
  focusable?: boolean;
};

/**
 * An immediate-mode user interface: whatever is drawn also declares where it takes touches. What must last from paint to paint (scroll
 * positions, presses, running animations) is stored by id.
 */
export class Ui {
  pen!: Pen;
  look!: Look;
  now = 0;
  /** The whole screen in dp. */
  screen: Rect = rect(0, 0, 0, 0);
  hits: Hit[] = [];
  texts: PaintedText[] = [];
  /** An animation runs: the next frame will differ. */
  motion = false;
  /** When the picture next changes by itself. */
  wakeAt = Number.POSITIVE_INFINITY;
  /** Nobody watched while things changed: animations are skipped. */
  late = false;
  /** A watch: little room, one column, nothing in the corners. */
  compact = false;
  /** Where the arrow keys are, and whether they are in use. */
  focus: string | undefined;
  focusShown = false;
  /** While true, what is drawn takes no touches: for pictures of apps. */
  deaf = false;
  #clip = EVERYWHERE;
  #within: ScrollHit[] = [];
  #presses = new Map<string, Press>();
  #eases = new Map<string, Ease>();
  #scrollers = new Map<string, Scroller>();

  begin(pen: Pen, look: Look, now: number, screen: Rect): void {
    this.pen = pen;
    this.look = look;
    this.now = now;
    this.screen = screen;
    this.hits = [];
    this.texts = [];
    pen.onText = (text, place) => {
      const visible = intersect(place, this.#clip);
      if (!this.deaf && visible.w > 0 && visible.h > 0) this.texts.push({ text, visible, after: this.hits.length });
    };
    this.motion = false;
    this.wakeAt = Number.POSITIVE_INFINITY;
    this.#clip = EVERYWHERE;
  }

  /** Requests a paint at a time of the monotonic clock. */
  wake(at: number): void {
    this.wakeAt = Math.min(this.wakeAt, at);
  }

  /** Requests a paint when the next second or minute of the wall clock begins; `wallMs` is what it shows now. */
  wakeEvery(unitMs: number, wallMs: number): void {
    this.wake(this.now + unitMs - (wallMs % unitMs));
  }

  /** Declares a place that takes touches. Call it between drawing its background and its content. */
  area(id: string, r: Rect, options: AreaOptions): void {
    const { ripple, focusable = options.tap !== undefined, ...hears } = options;
    const visible = intersect(r, this.#clip);
    if (!this.deaf) {
      this.hits.push({ id, rect: r, visible, ...hears, focusable, within: [...this.#within] });
    }
    if (visible.w <= 0 || visible.h <= 0) return;
    if (ripple) this.#ripple(id, r, ripple);
    if (ripple && this.focused(id))
      this.pen.outline(inset(r, 1.5), Math.max(0, ripple.radius - 1), this.look.colors.accent, 3);
  }

  focused(id: string): boolean {
    return this.focusShown && this.focus === id;
  }

  /** True while a finger is down on it. */
  pressed(id: string): boolean {
    return this.#presses.get(id)?.upAt === undefined && this.#presses.has(id);
  }

  press(id: string, at: Point): void {
    this.#presses.set(id, { at, downAt: this.now, upAt: undefined });
  }

  release(id: string, now: number): void {
    const press = this.#presses.get(id);
    if (press) press.upAt ??= now;
  }

  #ripple(id: string, r: Rect, { color, radius }: { color: string; radius: number }): void {
    const press = this.#presses.get(id);
    if (!press) return;
    const grown = Math.min(1, (this.now - press.downAt) / RIPPLE_MS);
    const gone = press.upAt === undefined ? 0 : Math.min(1, (this.now - press.upAt) / RELEASE_MS);
    if (gone >= 1) {
      this.#presses.delete(id);
      return;
    }
    if (grown < 1 || press.upAt !== undefined) this.motion = true;
    const reach = Math.hypot(
      Math.max(press.at.x - r.x, r.x + r.w - press.at.x),
      Math.max(press.at.y - r.y, r.y + r.h - press.at.y),
    );
    this.pen.clipped(r, radius, () => {
      this.pen.fill(r, alpha(color, 0.05 * (1 - gone)));
      this.pen.circle(
        press.at.x,
        press.at.y,
        reach * (0.25 + 0.75 * (1 - (1 - grown) ** 2)),
        alpha(color, 0.13 * (1 - gone)),
      );
    });
  }

  /** A value that moves to `target` within `ms` whenever the target changes. */
  ease(id: string, target: number, ms = 200): number {
    const known = this.#eases.get(id);
    if (!known) {
      this.#eases.set(id, { from: target, to: target, start: this.now - ms });
      return target;
    }
    const value = this.#eased(known, ms);
    if (known.held) return value;
    if (this.late && known.to !== target) {
      this.settle(id, target);
      return target;
    }
    if (known.to !== target) {
      this.#eases.set(id, { from: value, to: target, start: this.now });
      this.motion = true;
      return value;
    }
    if (this.now - known.start < ms) this.motion = true;
    return value;
  }

  #eased(ease: Ease, ms: number): number {
    const t = Math.min(1, (this.now - ease.start) / ms);
    return ease.from + (ease.to - ease.from) * (1 - (1 - t) ** 3);
  }

  /** Sets a value at once, without animation. */
  settle(id: string, value: number): void {
    this.#eases.set(id, { from: value, to: value, start: Number.NEGATIVE_INFINITY });
  }

  /** Holds a value where a finger has it, until `free` lets it go to its target. */
  hold(id: string, value: number): void {
    this.#eases.set(id, { from: value, to: value, start: Number.NEGATIVE_INFINITY, held: true });
  }

  free(id: string): void {
    const ease = this.#eases.get(id);
    if (ease) ease.held = false;
  }

  scroller(id: string): Scroller {
    let scroller = this.#scrollers.get(id);
    if (!scroller) this.#scrollers.set(id, (scroller = new Scroller()));
    return scroller;
  }

  /** Forgets what was stored under ids that begin with `prefix`. */
  forget(prefix: string): void {
    for (const map of [this.#scrollers, this.#eases, this.#presses]) {
      for (const id of map.keys()) if (id.startsWith(prefix)) map.delete(id);
    }
  }

  /**
   * A list in `r`. `draw` gets where its content begins (y, or x for a row) and returns its length.
   * Content pulled beyond an end moves with the finger on Android 12 and up, and glows at the edge before that.
   */
  scroll(id: string, r: Rect, draw: (start: number) => number, axis: "x" | "y" = "y"): void {
    const scroller = this.scroller(id);
    const hit: ScrollHit = { axis, scroller };
    const offset = scroller.at(this.now);
    if (scroller.moving) this.motion = true;
    const still = this.look.era === "you" ? offset : Math.min(scroller.max, Math.max(0, offset));
    const origin = axis === "y" ? r.y : r.x;
    this.area(`${id}/scroll`, r, {});
    const own = this.hits.at(-1);
    if (own && !this.deaf) own.scroll = hit;
    this.#within.push(hit);
    this.clip(r, () => {
      const length = draw(origin - still);
      scroller.max = Math.max(0, length - (axis === "y" ? r.h : r.w));
    });
    this.#within.pop();
    if (still !== offset) this.#edgeGlow(r, offset - still, axis);
    else if (axis === "y" && scroller.max > 0) this.#bar(id, r, scroller, offset);
  }

  #edgeGlow(r: Rect, beyond: number, axis: "x" | "y"): void {
    if (axis === "x") return;
    const depth = Math.min(46, Math.abs(beyond) * 0.6);
    const { g } = this.pen;
    this.clip(r, () => {
      g.set({ fillStyle: alpha(this.look.colors.accent, Math.min(0.32, Math.abs(beyond) / 160)) });
      g.beginPath();
      g.ellipse(r.x + r.w / 2, beyond < 0 ? r.y : r.y + r.h, r.w * 0.62, depth);
      g.fill();
    });
  }

  #bar(id: string, r: Rect, scroller: Scroller, offset: number): void {
    const shown = this.ease(`${id}/bar`, scroller.moving || this.pressed(`${id}/scroll`) ? 1 : 0, 400);
    if (shown <= 0.01) return;
    const length = Math.max(24, (r.h * r.h) / (r.h + scroller.max));
    const y = r.y + ((r.h - length) * Math.min(scroller.max, Math.max(0, offset))) / scroller.max;
    this.pen.round(rect(r.x + r.w - 5, y + 2, 3, length - 4), 1.5, alpha(this.look.colors.text, 0.3 * shown));
  }

  /** Runs `draw` with drawing and touches confined to `r`. */
  clip(r: Rect, draw: () => void, radius = 0): void {
    const before = this.#clip;
    this.#clip = intersect(before, r);
    this.pen.clipped(r, radius, draw);
    this.#clip = before;
  }

  /** True if any of it is visible: what is scrolled away need not be drawn. */
  sees(r: Rect): boolean {
    const part = intersect(r, this.#clip);
    return part.w > 0 && part.h > 0;
  }

  /** The places under a point, topmost first, down to the one that lets nothing through. */
  under(at: Point): Hit[] {
    const found: Hit[] = [];
    for (const hit of this.hits.toReversed()) {
      if (!contains(hit.visible, at.x, at.y)) continue;
      found.push(hit);
      if (hit.blocks) break;
    }
    return found;
  }
}
