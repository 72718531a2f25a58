/** A rectangle in dp, the unit everything on the screen is laid out in. */
export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Insets {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export const rect = (x: number, y: number, w: number, h: number): Rect => ({ x, y, w, h });

export const inset = (r: Rect, by: number): Rect => rect(r.x + by, r.y + by, r.w - 2 * by, r.h - 2 * by);

/** What is left of `r` inside the insets. */
export const inside = (r: Rect, by: Insets): Rect =>
  rect(r.x + by.left, r.y + by.top, Math.max(0, r.w - by.left - by.right), Math.max(0, r.h - by.top - by.bottom));

export const contains = (r: Rect, x: number, y: number): boolean =>
  x >= r.x && y >= r.y && x < r.x + r.w && y < r.y + r.h;

export function intersect(a: Rect, b: Rect): Rect {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  return rect(x, y, Math.max(0, Math.min(a.x + a.w, b.x + b.w) - x), Math.max(0, Math.min(a.y + a.h, b.y + b.h) - y));
}

export const midX = (r: Rect): number => r.x + r.w / 2;
export const midY = (r: Rect): number => r.y + r.h / 2;

/** A rectangle of `w` by `h` around a point. */
export const around = (x: number, y: number, w: number, h: number): Rect => rect(x - w / 2, y - h / 2, w, h);

export const blend = (a: Rect, b: Rect, t: number): Rect =>
  rect(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.w + (b.w - a.w) * t, a.h + (b.h - a.h) * t);
