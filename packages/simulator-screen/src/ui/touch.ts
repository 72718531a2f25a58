import type { Hit, Point } from "./hit.ts";
import type { Scroller } from "./scroller.ts";
import type { Ui } from "./ui.ts";

/** A finger that stays within this, in dp, is tapping; Android's touch slop. */
const SLOP = 8;
const HOLD_MS = 450;
/** The last part of a movement, from which its speed is computed. */
const SPEED_MS = 100;

interface Gesture {
  from: Point;
  at: Point;
  downAt: number;
  trail: { at: Point; time: number }[];
  under: Hit[];
  target: Hit | undefined;
  /** Set once the finger has moved and it is clear what follows it. */
  dragging: Hit | undefined;
  scrolling: { scroller: Scroller; axis: "x" | "y"; id: string } | undefined;
  moved: boolean;
}

/** Turns fingers into taps, holds, drags and scrolling. Each finger is a gesture of its own. */
export class Touch {
  readonly #ui: Ui;
  readonly #gestures = new Map<number, Gesture>();

  constructor(ui: Ui) {
    this.#ui = ui;
  }

  /** Whether something took it at once, as the keys of a keyboard do. */
  down(pointer: number, at: Point, now: number): boolean {
    this.cancel(pointer, now);
    const under = this.#ui.under(at);
    // A finger on a moving list stops it and does nothing else.
    const flying = under.find((hit) => hit.scroll?.scroller.moving);
    flying?.scroll?.scroller.grab(now);
    const target = flying
      ? undefined
      : under.find((hit) => hit.tap ?? hit.hold ?? hit.down ?? hit.follow ?? hit.absorbs);
    this.#gestures.set(pointer, {
      from: at,
      at,
      downAt: now,
      trail: [{ at, time: now }],
      under,
      target,
      dragging: undefined,
      scrolling: undefined,
      moved: false,
    });
    if (!target) return false;
    this.#ui.focusShown = false;
    this.#ui.press(target.id, at);
    target.down?.(at);
    target.follow?.(at);
    return target.down !== undefined;
  }

  move(pointer: number, at: Point, now: number): void {
    const gesture = this.#gestures.get(pointer);
    if (!gesture) return;
    const last = gesture.at;
    gesture.at = at;
    gesture.trail.push({ at, time: now });
    gesture.trail = gesture.trail.filter((step) => now - step.time <= SPEED_MS).slice(-20);
    if (gesture.target?.follow) {
      gesture.target.follow(at);
      return;
    }
    const by = { x: at.x - gesture.from.x, y: at.y - gesture.from.y };
    if (!gesture.moved && Math.hypot(by.x, by.y) > SLOP) this.#began(gesture, by, now);
    const { scrolling, dragging } = gesture;
    if (scrolling) {
      if (scrolling.axis === "y") scrolling.scroller.drag(last.y - at.y);
      else scrolling.scroller.drag(last.x - at.x);
    } else dragging?.drag?.move(by, at);
  }

  /** The finger has left its spot: from now on it scrolls, drags or does nothing; it no longer taps. */
  #began(gesture: Gesture, by: Point, now: number): void {
    gesture.moved = true;
    const axis = Math.abs(by.x) > Math.abs(by.y) ? "x" : "y";
    const drags = (hit: Hit) => hit.drag?.axis === axis || hit.drag?.axis === "both";
    // A list at its end leaves the finger to what it lies on, as all apps that are pulled down.
    const taker = gesture.under.find((hit, i) =>
      hit.scroll?.axis === axis
        ? !(hit.scroll.scroller.endsAt(by[axis], now) && gesture.under.slice(i + 1).some(drags))
        : drags(hit),
    );
    if (gesture.target) this.#ui.release(gesture.target.id, now);
    gesture.target = undefined;
    if (taker?.scroll) {
      taker.scroll.scroller.grab(now);
      gesture.scrolling = { ...taker.scroll, id: taker.id };
      this.#ui.press(taker.id, gesture.at);
    } else if (taker) {
      gesture.dragging = taker;
      taker.drag?.start?.(gesture.from);
    }
  }

  /** Whether something was tapped. */
  up(pointer: number, at: Point, now: number): boolean {
    if (this.#gestures.has(pointer)) this.move(pointer, at, now);
    const gesture = this.#gestures.get(pointer);
    if (!gesture) return false;
    this.#gestures.delete(pointer);
    const { target } = gesture;
    if (target) {
      this.#ui.release(target.id, now);
      target.follow?.(undefined);
      target.tap?.(at);
    }
    this.#letGo(gesture, speedOf(gesture.trail, now), now);
    return target?.tap !== undefined;
  }

  cancel(pointer: number, now: number): void {
    const gesture = this.#gestures.get(pointer);
    if (!gesture) return;
    this.#gestures.delete(pointer);
    if (gesture.target) {
      this.#ui.release(gesture.target.id, now);
      gesture.target.follow?.(undefined);
    }
    this.#letGo(gesture, { x: 0, y: 0 }, now);
  }

  #letGo(gesture: Gesture, speed: Point, now: number): void {
    const caught = gesture.under.find((hit) => hit.scroll && !gesture.moved);
    if (gesture.scrolling) {
      const { scroller, axis, id } = gesture.scrolling;
      scroller.release(axis === "y" ? -speed.y : -speed.x, now);
      this.#ui.release(id, now);
    } else if (caught && !gesture.target) caught.scroll?.scroller.release(0, now);
    const by = { x: gesture.at.x - gesture.from.x, y: gesture.at.y - gesture.from.y };
    gesture.dragging?.drag?.end(speed, by);
  }

  /** Triggers holds that are due. Returns when the next one is due, or infinity. */
  tick(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const gesture of this.#gestures.values()) {
      const hold = gesture.target?.hold;
      if (!hold) continue;
      if (now - gesture.downAt < HOLD_MS) next = Math.min(next, gesture.downAt + HOLD_MS);
      else {
        this.#ui.release(gesture.target?.id ?? "", now);
        gesture.target = undefined;
        gesture.moved = true;
        hold(gesture.at);
      }
    }
    return next;
  }

  get active(): boolean {
    return this.#gestures.size > 0;
  }
}

function speedOf(trail: { at: Point; time: number }[], now: number): Point {
  const first = trail.find((step) => now - step.time <= SPEED_MS);
  const last = trail.at(-1);
  if (!first || !last || last.time <= first.time) return { x: 0, y: 0 };
  const seconds = (last.time - first.time) / 1000;
  return { x: (last.at.x - first.at.x) / seconds, y: (last.at.y - first.at.y) / seconds };
}
