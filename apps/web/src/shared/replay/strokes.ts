import type { ReplayEvent } from "@terrarium/contract";

/** Where a finger is, as parts of the picture's width and height. */
interface StrokePoint {
  at: number;
  x: number;
  y: number;
}

/** The way of one finger, from when it came down until it was lifted; or the turn of a wheel. */
export interface Stroke {
  points: StrokePoint[];
  from: number;
  /** Infinite if it was not lifted. */
  until: number;
  isWheel: boolean;
}

/** Notches of a wheel that follow each other so closely are one turn. In ms. */
const WHEEL_PAUSE_MS = 1_000;
/** How long a finger's way is seen, and how long it fades when it was lifted. In ms. */
const TRAIL_MS = 400;
const FADE_MS = 350;

export function strokesOf(events: readonly ReplayEvent[]): Stroke[] {
  const strokes: Stroke[] = [];
  const down = new Map<number, Stroke>();
  for (const event of events) {
    if (event.type !== "touch" && event.type !== "scroll") continue;
    const { at } = event;
    const point = { at, x: event.x / event.width, y: event.y / event.height };
    if (event.type === "scroll") {
      const last = strokes.at(-1);
      if (last?.isWheel && at - last.until < WHEEL_PAUSE_MS) {
        last.points.push(point);
        last.until = at;
      } else strokes.push({ points: [point], from: at, until: at, isWheel: true });
      continue;
    }
    const stroke = down.get(event.finger) ?? { points: [], from: at, until: Number.POSITIVE_INFINITY, isWheel: false };
    if (stroke.points.push(point) === 1) strokes.push(stroke);
    down.set(event.finger, stroke);
    if (event.action !== "up") continue;
    stroke.until = at;
    down.delete(event.finger);
  }
  return strokes;
}

/** A finger as it is drawn: its latest places, the last one being where it is, and how much of it is left to see. */
export interface ShownStroke {
  trail: StrokePoint[];
  opacity: number;
  isWheel: boolean;
}

export function strokesAt(strokes: readonly Stroke[], time: number): ShownStroke[] {
  return strokes
    .filter(({ from, until }) => from <= time && time < until + FADE_MS)
    .map(({ points, until, isWheel }) => {
      const past = points.filter(({ at }) => at <= time);
      const recent = past.filter(({ at }) => at > Math.min(time, until) - TRAIL_MS);
      const opacity = time <= until ? 1 : 1 - (time - until) / FADE_MS;
      return { trail: recent.length > 0 ? recent : past.slice(-1), opacity, isWheel };
    });
}
