import type { Rect } from "../draw/rect.ts";
import type { Scroller } from "./scroller.ts";

export interface Point {
  x: number;
  y: number;
}

/** What follows a finger once it has moved in its direction. */
export interface Drag {
  axis: "x" | "y" | "both";
  start?(at: Point): void;
  /** `by` is the way since the finger came down. */
  move(by: Point, at: Point): void;
  /** `speed` in dp per second. */
  end(speed: Point, by: Point): void;
}

/** A text of the last painted picture. */
export interface PaintedText {
  text: string;
  /** The part of it that can be seen. */
  visible: Rect;
  /** How many hits were painted before it. */
  after: number;
}

export interface ScrollHit {
  axis: "x" | "y";
  scroller: Scroller;
}

/** A place of the last painted picture that receives touches. Later ones lie above earlier ones. */
export interface Hit {
  id: string;
  /** The whole of it, for moving the focus; and the part that can be seen and touched. */
  rect: Rect;
  visible: Rect;
  tap?: ((at: Point) => void) | undefined;
  hold?: ((at: Point) => void) | undefined;
  /** Called for each finger that comes down, before its gesture is known. */
  down?: ((at: Point) => void) | undefined;
  /** Follows each finger wherever it goes until it is lifted; `undefined` when it is. */
  follow?: ((at: Point | undefined) => void) | undefined;
  drag?: Drag | undefined;
  scroll?: ScrollHit | undefined;
  /** Nothing below it is touched. */
  blocks?: boolean | undefined;
  /** A tap on it does nothing, and what lies below is still there. */
  absorbs?: boolean | undefined;
  /** What it is, if no text on it says so. */
  label?: string | undefined;
  /** For what is switched on or off. */
  checked?: boolean | undefined;
  /** It is a field, which shows its text itself; and whether somebody types into it. */
  edits?: { isActive: boolean } | undefined;
  /** The arrow keys stop at it. */
  focusable: boolean;
  /** The lists it lies in, outermost first. */
  within: readonly ScrollHit[];
}
