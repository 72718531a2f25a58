import type { TestClock } from "@terrarium/clock";
import type { Screen } from "@terrarium/simulator/screen";

/** Pixels of a part of the screen, as one string that is equal only for equal pictures. */
export function pixelsOf(screen: Screen, part = { x: 0, y: 0, w: screen.width, h: screen.height }): string {
  const rows: string[] = [];
  for (let y = part.y; y < part.y + part.h; y++) {
    const start = (y * screen.width + part.x) * 4;
    rows.push(Buffer.from(screen.pixels.subarray(start, start + part.w * 4)).toString("base64"));
  }
  return rows.join("");
}

/** Paints until nothing moves, as a watcher does at 25 frames a second. */
export async function settle(screen: Screen, clock: TestClock): Promise<void> {
  screen.paint();
  for (let frame = 0; screen.animating && frame < 200; frame++) {
    await clock.advance(40);
    screen.paint();
  }
}

/** A tap with one finger, and what follows it. */
export async function tap(screen: Screen, clock: TestClock, x: number, y: number): Promise<void> {
  screen.touch("down", 0, x, y);
  await clock.advance(50);
  screen.touch("up", 0, x, y);
  await settle(screen, clock);
}

/** Moves a finger from one place to another in `steps` of 16 ms. */
export async function swipe(
  screen: Screen,
  clock: TestClock,
  [x, y]: [number, number],
  [toX, toY]: [number, number],
  steps = 10,
): Promise<void> {
  screen.touch("down", 0, x, y);
  for (let i = 1; i <= steps; i++) {
    await clock.advance(16);
    screen.touch("move", 0, x + ((toX - x) * i) / steps, y + ((toY - y) * i) / steps);
  }
  screen.touch("up", 0, toX, toY);
}
