export type Place = [x: number, y: number];

export interface Stroke {
  readonly color: string;
  readonly points: Place[];
}

/** Old points go when there are more, so that a picture drawn on all day costs no more than this: some 5 ms a frame. */
const MAX_POINTS = 3000;
/** A line that never ends is kept in parts, so that its beginning can go. */
const MAX_PART = 32;
/** Points nearer than this to the last one change nothing that is seen of a line so wide. */
const MIN_STEP_DP = 2.5;

/** What was drawn, oldest first, and the lines that fingers are drawing. Places are in dp. */
export class Strokes {
  #all: Stroke[] = [];
  readonly #current = new Map<number, Stroke>();

  get all(): readonly Stroke[] {
    return this.#all;
  }

  /** A finger is at a place; its line goes on, or begins in this colour. */
  add(pointer: number, at: Place, color: string): void {
    let stroke = this.#current.get(pointer);
    if (!stroke || stroke.points.length >= MAX_PART) {
      // A further part begins where the one before it ends.
      stroke = { color, points: stroke?.points.slice(-1) ?? [] };
      this.#current.set(pointer, stroke);
      this.#all.push(stroke);
    }
    addPoint(stroke.points, at);
    while (this.#all.reduce((sum, { points }) => sum + points.length, 0) > MAX_POINTS) this.#all.shift();
  }

  end(pointer: number): void {
    this.#current.delete(pointer);
  }

  clear(): void {
    this.#all = [];
    this.#current.clear();
  }
}

/** The last point follows the finger until it is far enough from the one before it. */
function addPoint(points: Place[], point: Place): void {
  const [before, last] = [points.at(-2), points.at(-1)];
  if (before && last && Math.hypot(last[0] - before[0], last[1] - before[1]) < MIN_STEP_DP) points.pop();
  points.push(point);
}
