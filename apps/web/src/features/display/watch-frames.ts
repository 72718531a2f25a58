import type { Clock } from "@terrarium/clock";

/** Between two looks. */
const LOOK_MS = 120;
/** Between two looks where the browser does not report frames. */
const BLIND_MS = 1_000;

/**
 * Calls `onFrame` with a video's picture as `side` x `side` squares of RGBA: soon, and then when another picture has come, until the signal
 * aborts. Nothing is done while no picture comes, except in browsers that do not report frames, where it is looked at every second.
 */
export function watchFrames(
  video: HTMLVideoElement,
  side: number,
  onFrame: (frame: Uint8ClampedArray) => void,
  clock: Clock,
  signal: AbortSignal,
): void {
  const context = new OffscreenCanvas(side, side).getContext("2d", { willReadFrequently: true });
  if (!context) return;
  context.imageSmoothingQuality = "high";
  let isDue = false;
  const look = () => {
    isDue = false;
    context.drawImage(video, 0, 0, side, side);
    onFrame(context.getImageData(0, 0, side, side).data);
  };
  const lookSoon = (ms: number) => {
    if (isDue) return;
    isDue = true;
    clock.sleep(ms, signal).then(look, () => undefined);
  };
  lookSoon(LOOK_MS);
  if (!("requestVideoFrameCallback" in video)) {
    void lookAgain(() => lookSoon(0), clock, signal).catch(() => undefined);
    return;
  }
  let handle = 0;
  const next = () => {
    handle = video.requestVideoFrameCallback(() => {
      next();
      lookSoon(LOOK_MS);
    });
  };
  next();
  signal.addEventListener("abort", () => video.cancelVideoFrameCallback(handle), { once: true });
}

async function lookAgain(look: () => void, clock: Clock, signal: AbortSignal): Promise<never> {
  for (;;) {
    await clock.sleep(BLIND_MS, signal);
    look();
  }
}
