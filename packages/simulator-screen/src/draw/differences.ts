import { type Box, merge } from "./box.ts";
import type { Clip, Mark } from "./mark.ts";

/** How far to look for the same mark among those of before. */
const MAX_SEARCH = 200;

/** Where a mark of one list is not in the other, in the same order. */
export function differences(before: readonly Mark[], after: readonly Mark[], whole: Box): Box[] {
  const boxes: Box[] = [];
  let next = 0;
  for (const mark of after) {
    if (boxes.length === 1 && isSameBox(boxes[0]!, whole)) return boxes;
    const end = Math.min(before.length, next + MAX_SEARCH);
    let at = next;
    while (at < end && !isSame(mark, before[at]!)) at++;
    if (at === end) merge(boxes, mark.box);
    else {
      while (next < at) merge(boxes, before[next++]!.box);
      next++;
    }
  }
  for (const mark of before.slice(next)) merge(boxes, mark.box);
  return boxes;
}

function isSame(one: Mark, other: Mark): boolean {
  return (
    // This distinguishes most of them.
    isSameBox(one.box, other.box) &&
    one.call === other.call &&
    areSame(one.args, other.args) &&
    areSame(one.matrix, other.matrix) &&
    areSame(one.values, other.values) &&
    areSame(one.path, other.path) &&
    isSameClip(one.clip, other.clip)
  );
}

const isSameBox = (one: Box, other: Box): boolean =>
  one.left === other.left && one.top === other.top && one.right === other.right && one.bottom === other.bottom;

function isSameClip(one: Clip | undefined, other: Clip | undefined): boolean {
  if (!one || !other || one === other) return one === other;
  return areSame(one.matrix, other.matrix) && areSame(one.path, other.path) && isSameClip(one.outer, other.outer);
}

const areSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length &&
  one.every((value, index) => {
    const against = other[index];
    return value === against || (Array.isArray(value) && Array.isArray(against) && areSame(value, against));
  });
