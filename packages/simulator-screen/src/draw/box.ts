/** A rectangle of whole pixels; right and bottom lie outside. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Few enough that what is drawn in several of them costs little more. */
const MAX_BOXES = 6;

/** What is nowhere, as it was divided by 0, is empty too. */
export const isEmpty = ({ left, top, right, bottom }: Box): boolean => !(left < right && top < bottom);

/** Whether two boxes have a pixel in common. */
export const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

export const intersection = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});

/**
 * What a shape covers whose points, x and y by turns, go through a matrix of a canvas: with `room` around it in its own unit, `pixels` more,
 * and one for its soft edges.
 */
export function boxOf(reach: readonly number[], matrix: readonly number[], room = 0, pixels = 0): Box {
  const [a, b, c, d, e, f] = matrix as [number, number, number, number, number, number];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < reach.length; at += 2) {
    left = Math.min(left, reach[at]!);
    right = Math.max(right, reach[at]!);
    top = Math.min(top, reach[at + 1]!);
    bottom = Math.max(bottom, reach[at + 1]!);
  }
  // Of a sum, the least is that of its terms.
  const [x1, x2, y1, y2] = [left - room, right + room, top - room, bottom + room];
  return {
    left: Math.floor(Math.min(a * x1, a * x2) + Math.min(c * y1, c * y2) + e - pixels) - 1,
    top: Math.floor(Math.min(b * x1, b * x2) + Math.min(d * y1, d * y2) + f - pixels) - 1,
    right: Math.ceil(Math.max(a * x1, a * x2) + Math.max(c * y1, c * y2) + e + pixels) + 1,
    bottom: Math.ceil(Math.max(b * x1, b * x2) + Math.max(d * y1, d * y2) + f + pixels) + 1,
  };
}

const pixelsOf = ({ left, top, right, bottom }: Box): number => (right - left) * (bottom - top);

export const union = (one: Box, other: Box): Box => ({
  left: Math.min(one.left, other.left),
  top: Math.min(one.top, other.top),
  right: Math.max(one.right, other.right),
  bottom: Math.max(one.bottom, other.bottom),
});

/** Adds a box to others, as one with those that it touches, or else with the one that grows least, so that they stay few and apart. */
export function merge(boxes: Box[], box: Box): void {
  let at = boxes.findIndex((other) => overlap(other, box));
  if (at < 0 && boxes.length < MAX_BOXES) return void boxes.push(box);
  if (at < 0) {
    const growth = boxes.map((other) => pixelsOf(union(other, box)) - pixelsOf(other));
    at = growth.indexOf(Math.min(...growth));
  }
  const [other] = boxes.splice(at, 1) as [Box];
  merge(boxes, union(box, other));
}
