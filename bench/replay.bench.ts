import type { Clock } from "@terrarium/clock";
import { Display, type AccessUnit } from "../apps/server/src/gateway/display/display.ts";
import { clipFile } from "../apps/server/src/gateway/replay/clip-file.ts";
import { Replay } from "../apps/server/src/gateway/replay/replay.ts";
import { FakeDisplay } from "../apps/server/src/gateway/testing/fake-display.ts";
import { createLog } from "../apps/server/src/platform/log.ts";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { megabytes, print } from "./support/figures.ts";

/**
 * What the last 90 s of a device cost its gateway: processor time for each picture and memory, beside the same display with one viewer and no
 * replay, in turns; and what it costs to make a file of them. The viewer copies each picture once, about as much as one sends.
 */

const SECONDS = 240;
const FPS = 60;
const ROUNDS = 5;
/** Of a key frame, and of the pictures between two. */
const KEY_BYTES = 60_000;
const KEY_EVERY = 600;
const STREAMS = { "1 Mbit/s": 125_000, "8 Mbit/s": 1_000_000 };
/** A parameter set of 720 x 1600 before a slice, as encoders begin a key frame. */
const PARAMETERS = Buffer.from("AAAAAWdCwB7aBcFHl5qAgIMgAAADACAAAAeR4sXUAAAAAWjOHyA=", "base64");

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const log = createLog("silent", "bench");

/** Memory outside the heap is given back some turns after its owner was collected. */
const held = async (): Promise<number> => {
  for (let turn = 0; turn < 5; turn++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Shows a device for four minutes of its own time. Returns the processor time, and what is held at the end. */
async function show(bytesPerSecond: number, hasReplay: boolean) {
  let now = 0;
  const clock: Clock = { now: () => now, monotonic: () => now, sleep: () => new Promise(() => undefined) };
  const source = new FakeDisplay();
  const display = new Display(source, clock);
  const out = Buffer.alloc(1_000_000);
  display.attach(({ data }: AccessUnit) => void data.copy(out));
  const replay = new Replay({ display, source, link: undefined, clock, log });
  if (hasReplay) replay.start();
  const before = await held();
  let spent = 0;
  for (let picture = 0; picture < SECONDS * FPS; picture++) {
    now = (picture / FPS) * 1000;
    const keyFrame = picture % KEY_EVERY === 0;
    const body = Buffer.alloc(keyFrame ? KEY_BYTES : Math.round(bytesPerSecond / FPS), 0x7f);
    body.set([0, 0, 0, 1, keyFrame ? 0x65 : 0x41]);
    const began = cpuMs();
    source.frame(keyFrame, BigInt(Math.round(now * 1000)), keyFrame ? Buffer.concat([PARAMETERS, body]) : body);
    spent += cpuMs() - began;
  }
  return { spent, bytes: (await held()) - before, replay, display };
}

console.log(`Pictures of ${SECONDS} s at ${FPS} a second, ${ROUNDS} times each`);
for (const [name, bytesPerSecond] of Object.entries(STREAMS)) {
  const spent = { without: 0, with: 0 };
  const bytes = { without: 0, with: 0 };
  let file = { ms: 0, bytes: 0, longestMs: 0, seconds: 0 };
  for (let round = 0; round < ROUNDS; round++)
    for (const way of ["without", "with"] as const) {
      const shown = await show(bytesPerSecond, way === "with");
      spent[way] += shown.spent;
      bytes[way] = shown.bytes;
      if (way === "with") {
        const began = cpuMs();
        const clip = shown.replay.clip();
        if (!clip) throw new Error("there is nothing to replay");
        let [size, longestMs, last] = [0, 0, performance.now()];
        for (const piece of clipFile(clip)) {
          size += piece.length;
          longestMs = Math.max(longestMs, performance.now() - last);
          last = performance.now();
        }
        file = { ms: cpuMs() - began, bytes: size, longestMs, seconds: clip.story.duration_ms / 1000 };
      }
      shown.replay.stop();
      shown.replay.forget();
      shown.display.stop();
    }
  const each = (way: "with" | "without") => (spent[way] / ROUNDS / (SECONDS * FPS)) * 1000;
  print(`${name}: for each picture, without and with`, `${each("without").toFixed(2)}  ${each("with").toFixed(2)} us`);
  print("  with by without", (spent.with / spent.without).toFixed(2));
  print("  of a core, with less without", `${(((each("with") - each("without")) * FPS) / 10_000).toFixed(3)} %`);
  print("  memory, without and with", `${megabytes(bytes.without, 1)}  ${megabytes(bytes.with, 1)}`);
  print(
    "  a file of it",
    `${megabytes(file.bytes, 1)} of ${file.seconds.toFixed(0)} s, ${file.ms.toFixed(0)} ms of the processor, ` +
      `${file.longestMs.toFixed(1)} ms for its longest piece`,
  );
}
