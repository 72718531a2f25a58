import { readLatencyMark } from "@terrarium/simulator-screen/latency-mark";

/** The functions that the benchmark calls in the page. */
export interface Measure {
  /** Shows a device in the real player. Resolves with the size of the first frame. */
  show(url: string, token: string): Promise<{ width: number; height: number }>;
  /** Measures the video that this page, our own, shows already. Resolves with the size of its next frame. */
  watch(): Promise<{ width: number; height: number }>;
  /** The number that the device's screen shows; undefined if there is no mark. */
  mark(): number | undefined;
  /** Waits for the next press of the mouse. Returns the ms until the frame with its mark, and until a canvas painted in response. */
  nextClick(timeoutMs: number): Promise<{ toFrameMs: number | undefined; toCanvasMs: number }>;
  /**
   * Moves a finger in circles; a browser tells of it once for each picture of its screen, so many a second. Returns the number of frames
   * shown meanwhile, and the longest time in which the page heard of none.
   */
  draw(durationMs: number, hertz?: number): Promise<{ pictures: number; longestMs: number }>;
}
declare global {
  interface Window {
    measure: Measure;
    genyDeviceWebPlayer: {
      DeviceRendererFactory: new () => { setupRenderer(root: HTMLElement, url: string, options: object): unknown };
    };
  }
}

/** Keeps the mark's blocks larger than ten pixels. Reading a phone's whole screen would take longer than a frame. */
const READ_WIDTH = 216;

const reader = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
const floor = document.body.appendChild(document.createElement("canvas")).getContext("2d")!;
Object.assign(floor.canvas, { width: 64, height: 64 });
floor.canvas.style.cssText = "position: fixed; bottom: 0; left: 0; pointer-events: none";
let video: HTMLVideoElement;
/** When the page hears of the next frame, and how many its video has shown by then: it does not hear of each. */
const nextFrame = () =>
  new Promise<{ at: number; shown: number }>((resolve) =>
    video.requestVideoFrameCallback((_, { presentedFrames }) =>
      resolve({ at: performance.now(), shown: presentedFrames }),
    ),
  );
const nextPicture = async () => (await nextFrame()).at;

function mark(): number | undefined {
  const { canvas } = reader;
  const height = Math.round((READ_WIDTH * video.videoHeight) / video.videoWidth);
  if (canvas.width !== READ_WIDTH || canvas.height !== height) Object.assign(canvas, { width: READ_WIDTH, height });
  reader.drawImage(video, 0, 0, READ_WIDTH, height);
  return readLatencyMark(reader.getImageData(0, 0, READ_WIDTH, height).data, READ_WIDTH, height);
}

window.measure = {
  async show(url, token) {
    new window.genyDeviceWebPlayer.DeviceRendererFactory().setupRenderer(
      document.querySelector<HTMLElement>("#player")!,
      url,
      {
        token,
        stun: [],
        turn: [],
        camera: true,
        fileUpload: false,
      },
    );
    return window.measure.watch();
  },

  async watch() {
    video = document.querySelector("video")!;
    // A device at rest sends none.
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) await nextPicture();
    return { width: video.videoWidth, height: video.videoHeight };
  },

  mark,

  async nextClick(timeoutMs) {
    const before = mark() ?? Number.NaN;
    const pressed = await new Promise<number>((resolve) =>
      // The event's own timestamp, so that the browser's dispatch time is included.
      window.addEventListener("pointerdown", ({ timeStamp }) => resolve(timeStamp), { capture: true, once: true }),
    );
    floor.fillStyle = `hsl(${before % 360} 80% 50%)`;
    floor.fillRect(0, 0, 64, 64);
    const canvas = new Promise<number>((resolve) => requestAnimationFrame(() => resolve(performance.now())));
    let toFrameMs: number | undefined;
    while (toFrameMs === undefined && performance.now() - pressed < timeoutMs) {
      const at = await Promise.race([
        nextPicture(),
        new Promise<undefined>((resolve) => setTimeout(resolve, timeoutMs)),
      ]);
      if (at !== undefined && (mark() ?? before) > before) toFrameMs = at - pressed;
    }
    return { toFrameMs, toCanvasMs: (await canvas) - pressed };
  },

  async draw(durationMs, hertz = 120) {
    const { left, top, width, height } = video.getBoundingClientRect();
    const send = (type: string, angle: number) =>
      video.dispatchEvent(
        new MouseEvent(type, {
          bubbles: true,
          button: 0,
          buttons: 1,
          clientX: left + width * (0.5 + 0.1 * Math.cos(angle)),
          clientY: top + height * (0.45 + 0.15 * Math.sin(angle)),
        }),
      );
    const began = performance.now();
    let before: number | undefined;
    let pictures = 0;
    let longestMs = 0;
    let last = began;
    const watch = (async () => {
      while (performance.now() - began < durationMs) {
        const { at, shown } = await nextFrame();
        if (at - began > durationMs) return;
        before ??= shown - 1;
        pictures = shown - before;
        longestMs = Math.max(longestMs, at - last);
        last = at;
      }
    })();
    send("mousedown", 0);
    while (performance.now() - began < durationMs + 200) {
      await new Promise((resolve) => setTimeout(resolve, Math.floor(1_000 / hertz)));
      send("mousemove", (performance.now() - began) / 300);
    }
    send("mouseup", 0);
    await Promise.race([watch, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    return { pictures, longestMs };
  },
};
