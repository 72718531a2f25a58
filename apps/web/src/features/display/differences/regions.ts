/** A part of a picture; all of them are parts of its width and height. */
export interface Region {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Pictures are compared as so many squares each way, whatever their sizes: the same part of one lies at the same part of the other. */
export const SIDE = 96;
/** By how much a colour of a square differs, of 255, where it is more than the encoder's doing. */
const DIFFERENT = 24;
/** Squares that are so near to each other are one difference: letters are a word. */
const GAP = 2;
/** More outlines than this help nobody. */
const MAX_REGIONS = 20;

/** Where two pictures differ, as rectangles that do not overlap, from the top; at most twenty, which then are larger. */
export function differingRegions(a: Uint8ClampedArray, b: Uint8ClampedArray): Region[] {
  const differs = Array.from({ length: SIDE * SIDE }, (_, at) =>
    [0, 1, 2].some((colour) => Math.abs((a[at * 4 + colour] ?? 0) - (b[at * 4 + colour] ?? 0)) > DIFFERENT),
  );
  let boxes: Box[] = [];
  differs.forEach((isDifferent, at) => {
    const [x, y] = [at % SIDE, Math.floor(at / SIDE)];
    if (isDifferent) boxes = joined(boxes, { x1: x, y1: y, x2: x, y2: y }, GAP);
  });
  for (let gap = GAP * 2; boxes.length > MAX_REGIONS; gap *= 2)
    boxes = boxes.reduce<Box[]>((wider, box) => joined(wider, box, gap), []);
  return boxes
    .toSorted((one, other) => one.y1 - other.y1 || one.x1 - other.x1)
    .map(({ x1, y1, x2, y2 }) => ({
      left: x1 / SIDE,
      top: y1 / SIDE,
      width: (x2 - x1 + 1) / SIDE,
      height: (y2 - y1 + 1) / SIDE,
    }));
}

/** Its first and last squares. */
interface Box {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** With one more, which becomes one with those that are near to it, and so with those that are near to that. */
function joined(boxes: readonly Box[], box: Box, gap: number): Box[] {
  const isNear = (other: Box) =>
    other.x1 - gap <= box.x2 && box.x1 - gap <= other.x2 && other.y1 - gap <= box.y2 && box.y1 - gap <= other.y2;
  const near = boxes.filter((other) => isNear(other));
  if (near.length === 0) return [...boxes, box];
  const all = [box, ...near];
  const wider = {
    x1: Math.min(...all.map(({ x1 }) => x1)),
    y1: Math.min(...all.map(({ y1 }) => y1)),
    x2: Math.max(...all.map(({ x2 }) => x2)),
    y2: Math.max(...all.map(({ y2 }) => y2)),
  };
  const others = boxes.filter((other) => !near.includes(other));
  const isWider =
    near.length > 1 ||
    near.some(({ x1, y1, x2, y2 }) => x1 !== wider.x1 || y1 !== wider.y1 || x2 !== wider.x2 || y2 !== wider.y2);
  return isWider ? joined(others, wider, gap) : [...others, wider];
}
