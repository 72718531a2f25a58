import { midX, midY, type Rect } from "../draw/rect.ts";
import type { Hit } from "./hit.ts";
import type { Ui } from "./ui.ts";

export type Direction = "up" | "down" | "left" | "right";

/** Moves the focus to the nearest place in a direction. Returns whether it moved. */
export function moveFocus(ui: Ui, direction: Direction): boolean {
  const places = reachable(ui);
  const current = places.find((hit) => hit.id === ui.focus);
  const next = current && ui.focusShown ? nearest(current, places, direction) : (current ?? places[0]);
  if (!next) return false;
  ui.focus = next.id;
  ui.focusShown = true;
  reveal(ui, next);
  return true;
}

/** To the next place in the order of drawing, as Tab does. */
export function stepFocus(ui: Ui, by: 1 | -1): void {
  const places = reachable(ui);
  if (places.length === 0) return;
  const at = places.findIndex((hit) => hit.id === ui.focus);
  const next = places[at < 0 ? 0 : (at + by + places.length) % places.length];
  if (!next) return;
  ui.focus = next.id;
  ui.focusShown = true;
  reveal(ui, next);
}

/** Does what a tap on the focused place does. */
export function pressFocused(ui: Ui): boolean {
  const hit = ui.focusShown ? reachable(ui).find((place) => place.id === ui.focus) : undefined;
  if (!hit?.tap) return false;
  const at = { x: midX(hit.rect), y: midY(hit.rect) };
  ui.press(hit.id, at);
  ui.release(hit.id, ui.now);
  hit.tap(at);
  return true;
}

/** What lies above the last thing that lets nothing through. */
function reachable(ui: Ui): Hit[] {
  const floor = ui.hits.findLastIndex((hit) => hit.blocks);
  return ui.hits.slice(Math.max(0, floor)).filter((hit) => hit.focusable);
}

function nearest(from: Hit, places: Hit[], direction: Direction): Hit | undefined {
  const scored = places
    .filter((hit) => hit.id !== from.id)
    .map((hit) => ({ hit, score: distance(from.rect, hit.rect, direction) }))
    .filter(({ score }) => Number.isFinite(score))
    .toSorted((a, b) => a.score - b.score);
  return scored[0]?.hit;
}

/** Distance sideways counts three times. Infinite for what is not ahead. */
function distance(a: Rect, b: Rect, direction: Direction): number {
  const dx = midX(b) - midX(a);
  const dy = midY(b) - midY(a);
  const sideways = direction === "left" || direction === "right";
  const ahead = { left: -dx, right: dx, up: -dy, down: dy }[direction];
  const overlap = sideways
    ? Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)
    : Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const aside = overlap > 0 ? Math.abs(sideways ? dy : dx) * 0.1 : Math.abs(sideways ? dy : dx);
  return ahead > 1 ? ahead + aside * 3 : Number.POSITIVE_INFINITY;
}

/** Brings a focused place into view in the lists it lies in. */
function reveal(ui: Ui, hit: Hit): void {
  for (const { axis, scroller } of hit.within) {
    const list = ui.hits.find((other) => other.scroll?.scroller === scroller)?.rect;
    if (!list) continue;
    const margin = 24;
    const [start, end, low, high] =
      axis === "y"
        ? [hit.rect.y, hit.rect.y + hit.rect.h, list.y + margin, list.y + list.h - margin]
        : [hit.rect.x, hit.rect.x + hit.rect.w, list.x + margin, list.x + list.w - margin];
    if (start < low) scroller.glide(start - low, ui.now);
    else if (end > high) scroller.glide(end - high, ui.now);
  }
}
