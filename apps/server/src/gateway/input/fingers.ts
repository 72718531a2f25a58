import type { Point } from "@terrarium/player";
import type { ControlMessage } from "@terrarium/scrcpy";
import type { VideoSize } from "../display/display-source.ts";

/** Each viewer has pointer ids of its own, so that two can touch at once. */
const FINGERS_PER_VIEWER = 16n;
const PRESSED = 1;

export interface FingerDeps {
  /** The viewer's number, unique on this device. */
  viewer: number;
  /** The video's current size: the device ignores touches meant for another size. */
  size(): VideoSize;
  send(message: ControlMessage): void;
}

/** The fingers that one viewer has on the screen, by slot. */
export class Fingers {
  readonly #deps: FingerDeps;
  readonly #down = new Map<number, Point>();

  constructor(deps: FingerDeps) {
    this.#deps = deps;
  }

  /** Where the finger is; undefined when it is not on the screen. */
  at(slot: number): Point | undefined {
    return this.#down.get(slot);
  }

  get slots(): number[] {
    return [...this.#down.keys()].toSorted((a, b) => a - b);
  }

  down(slot: number, point: Point): void {
    if (this.#down.has(slot)) return this.move(slot, point);
    this.#down.set(slot, point);
    this.#touch("down", slot, point);
  }

  /** Moves a finger that is down; does nothing for one that is not. */
  move(slot: number, point: Point): void {
    const before = this.#down.get(slot);
    if (!before || (before.x === point.x && before.y === point.y)) return;
    this.#down.set(slot, point);
    this.#touch("move", slot, point);
  }

  up(slot: number, point = this.#down.get(slot)): void {
    if (point && this.#down.delete(slot)) this.#touch("up", slot, point);
  }

  liftAll(): void {
    for (const slot of this.slots) this.up(slot);
  }

  #touch(action: "down" | "move" | "up", slot: number, point: Point): void {
    this.#deps.send({
      type: "touch",
      action,
      pointerId: BigInt(this.#deps.viewer) * FINGERS_PER_VIEWER + BigInt(slot),
      position: positionOf(point, this.#deps.size()),
      pressure: action === "up" ? 0 : PRESSED,
      actionButton: 0,
      buttons: 0,
    });
  }
}

/** Clamps a point to the picture: around it there is only the page. */
export function positionOf({ x, y }: Point, { width, height }: VideoSize): Point & VideoSize {
  return { x: clamp(x, width - 1), y: clamp(y, height - 1), width, height };
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}
