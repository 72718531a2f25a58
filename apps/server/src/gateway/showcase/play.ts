import type { Clock } from "@terrarium/clock";
import type { ControlMessage } from "@terrarium/scrcpy";
import type { VideoSize } from "../display/display-source.ts";
import { Fingers } from "../input/fingers.ts";

const KEYCODE_HOME = 3;
/** Between two positions of a finger. */
const MOVE_MS = 33;

/** Parts of the screen's width and height. */
type Place = readonly [x: number, y: number];
type Step =
  | { do: "home" }
  | { do: "wait"; ms: number }
  /** Without a second place, the finger stays where it is. */
  | { do: "touch"; from: Place; to?: Place; ms: number };

/** Where things are on the first simulated phone. On other devices the touches are the same, wherever they land. */
const CALCULATOR: Place = [0.19, 0.838];
const key = (column: 0 | 1 | 2 | 3, row: 0 | 1 | 2 | 3 | 4): Step[] => [
  { do: "touch", from: [0.138 + 0.239 * column, 0.393 + 0.122 * row], ms: 100 },
  { do: "wait", ms: 450 },
];

/** It begins at home, wherever it was left, and leaves nothing behind. */
const script: readonly Step[] = [
  { do: "home" },
  { do: "wait", ms: 2_000 },
  // All apps, and away with them
  { do: "touch", from: [0.5, 0.66], to: [0.5, 0.2], ms: 400 },
  { do: "wait", ms: 2_000 },
  { do: "home" },
  { do: "wait", ms: 1_500 },
  // 7 × 6 =
  { do: "touch", from: CALCULATOR, ms: 100 },
  { do: "wait", ms: 1_500 },
  ...key(0, 0),
  ...key(0, 1),
  ...key(3, 1),
  ...key(2, 2),
  ...key(3, 4),
  { do: "wait", ms: 2_000 },
  { do: "home" },
  { do: "wait", ms: 1_500 },
  // The shade
  { do: "touch", from: [0.3, 0.005], to: [0.3, 0.6], ms: 500 },
  { do: "wait", ms: 2_500 },
  { do: "touch", from: [0.5, 0.9], to: [0.5, 0.2], ms: 400 },
  { do: "wait", ms: 1_500 },
];

interface Played {
  size(): VideoSize;
  send(message: ControlMessage): void;
  clock: Clock;
  signal: AbortSignal;
}

/** Plays with a device, over and over, until the signal aborts: with touches as a hand makes them. */
export async function play({ size, send, clock, signal }: Played): Promise<void> {
  const finger = new Fingers({ viewer: 1, size, send });
  const at = ([x, y]: Place) => ({ x: Math.round(x * size().width), y: Math.round(y * size().height) });
  const steps: Record<Step["do"], (step: never) => Promise<void>> = {
    async home() {
      const key = { type: "key", keyCode: KEYCODE_HOME, repeat: 0, metaState: 0 } as const;
      send({ ...key, action: "down" });
      send({ ...key, action: "up" });
    },
    wait: ({ ms }: { ms: number }) => clock.sleep(ms, signal),
    async touch({ from, to = from, ms }: Extract<Step, { do: "touch" }>) {
      finger.down(0, at(from));
      for (let passed = MOVE_MS; passed <= ms; passed += MOVE_MS) {
        await clock.sleep(MOVE_MS, signal);
        finger.move(0, at([along(from[0], to[0], passed / ms), along(from[1], to[1], passed / ms)]));
      }
      finger.up(0);
    },
  };
  try {
    for (;;) for (const step of script) await steps[step.do](step as never);
  } catch {
    // Whoever touches it now finds no other finger on it.
    finger.liftAll();
  }
}

/** Slow at both ends, as a finger is. */
const along = (from: number, to: number, part: number): number => from + (to - from) * part * part * (3 - 2 * part);
