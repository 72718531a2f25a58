import type { InputCommand, Point } from "@terrarium/player";
import { type FingerDeps, Fingers, positionOf } from "./fingers.ts";

/** A mouse wheel's notch in the browser's pixels. */
const PX_PER_NOTCH = 120;

/** Slots below these belong to the fingers of a touch screen. */
const MOUSE_SLOT = 10;
const SECOND_SLOT = 11;

export type PointerCommand = Extract<InputCommand, { type: "mouse" | "wheel" | "pinch" | "touch" }>;

/** Turns one viewer's mouse and touches into fingers on the device's screen. */
export class PointerInput {
  readonly #deps: FingerDeps;
  readonly #fingers: Fingers;
  /** In a two-finger gesture made with one mouse: where the second finger is, given the first. */
  #second: ((first: Point) => Point) | undefined;

  constructor(deps: FingerDeps) {
    this.#deps = deps;
    this.#fingers = new Fingers(deps);
  }

  handle(command: PointerCommand): void {
    switch (command.type) {
      case "mouse":
        return this.#mouse(command.action, command);
      case "pinch":
        return this.#pinch(command);
      case "touch":
        return this.#touch(command.action, command.points);
      case "wheel":
        return this.#deps.send({
          type: "scroll",
          position: positionOf(command, this.#deps.size()),
          horizontal: 0,
          vertical: -command.delta / PX_PER_NOTCH,
          buttons: 0,
        });
    }
  }

  /** The viewer is gone: lifts all fingers. */
  release(): void {
    this.#second = undefined;
    this.#fingers.liftAll();
  }

  #mouse(action: "press" | "move" | "release", { x, y }: Point): void {
    const point = { x, y };
    if (action === "press") this.#fingers.down(MOUSE_SLOT, point);
    else if (action === "move") this.#fingers.move(MOUSE_SLOT, point);
    else this.#fingers.up(MOUSE_SLOT, point);

    if (!this.#second) return;
    if (action === "release") this.#endPinch();
    else this.#fingers.move(SECOND_SLOT, this.#second(point));
  }

  #pinch({ action, mode, x, y }: Extract<InputCommand, { type: "pinch" }>): void {
    const point = { x, y };
    if (action === "release") {
      this.#fingers.up(MOUSE_SLOT, point);
      return this.#endPinch();
    }
    const { width, height } = this.#deps.size();
    const apart = width - 2 * x;
    // Zooming mirrors the finger across the centre; tilting moves two fingers in parallel.
    this.#second =
      mode === "zoom"
        ? (first) => ({ x: width - first.x, y: height - first.y })
        : (first) => ({ x: first.x + apart, y: first.y });
    this.#fingers.down(MOUSE_SLOT, point);
    this.#fingers.down(SECOND_SLOT, this.#second(point));
  }

  #endPinch(): void {
    this.#second = undefined;
    this.#fingers.up(SECOND_SLOT);
  }

  /** The list has every finger that is down, but no ids: a point belongs to the finger that was nearest to it. */
  #touch(action: "down" | "move" | "up", points: Point[]): void {
    const before = this.#fingers.slots.filter((slot) => slot < MOUSE_SLOT);
    const stays = action === "up" ? nearestSlots(points, before, this.#fingers) : before.slice(0, points.length);
    for (const slot of before) if (!stays.includes(slot)) this.#fingers.up(slot);
    for (const [index, point] of points.entries()) {
      const slot = stays[index] ?? this.#freeSlot();
      this.#fingers.down(slot, point);
    }
  }

  #freeSlot(): number {
    let slot = 0;
    while (this.#fingers.at(slot)) slot++;
    return slot;
  }
}

/** For each point, the slot of the nearest finger that no earlier point has taken. */
function nearestSlots(points: Point[], slots: number[], fingers: Fingers): number[] {
  const free = new Set(slots);
  const found: number[] = [];
  for (const point of points) {
    const [nearest] = [...free].toSorted((a, b) => distance(fingers.at(a), point) - distance(fingers.at(b), point));
    if (nearest === undefined) break;
    free.delete(nearest);
    found.push(nearest);
  }
  return found;
}

function distance(from: Point | undefined, to: Point): number {
  return from ? Math.hypot(from.x - to.x, from.y - to.y) : Number.POSITIVE_INFINITY;
}
