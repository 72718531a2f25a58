import type { Area } from "@terrarium/video";
import type { CreateScreen, Screen, TouchAction } from "../device/screen.ts";

const HOME_KEY = 3;
const BLOCK = 8;
/** The three plain colours that touches go through, so that a test sees each of them in the decoded picture. */
export const plainColours = [
  [200, 40, 40],
  [40, 160, 60],
  [40, 80, 200],
] as const;

/** A plain screen records what is done to it. */
export interface PlainScreen extends Screen {
  /** What was done to it, in order: `touch down 0 10,20`, `key down 3`, `text hello`. */
  readonly done: string[];
}

/** A screen for tests: an upper and a lower half of one plain colour each, the next of `plainColours` after a touch there. Turns with the device. */
export const createPlainScreen: CreateScreen = (host): PlainScreen => {
  const { width, height } = host.spec.hardware.displays[0]!;
  const sides = [width, height].map((side) => Math.max(BLOCK, Math.floor(side / BLOCK) * BLOCK)) as [number, number];
  let pixels = new Uint8Array(0);
  const colours = [0, 0];
  let dirty = true;
  /** What is painted of each half. */
  let paintedWidth = 0;
  let painted: (number | undefined)[] = [];
  let areas: Area[] = [];
  let app = "com.terrarium.launcher/.Launcher";
  const done: string[] = [];
  const changed = (what?: string) => {
    if (what !== undefined) done.push(what);
    dirty = true;
    screen.onChange?.();
  };
  const turned = () => host.state.values.rotation % 2 === 1;
  const stop = host.state.watch(() => changed());
  const screen: PlainScreen = {
    done,
    animating: false,
    onChange: undefined,
    get width() {
      return sides[turned() ? 1 : 0];
    },
    get height() {
      return sides[turned() ? 0 : 1];
    },
    get pixels() {
      return pixels;
    },
    get changed() {
      return areas;
    },
    get focused() {
      return app;
    },
    paint() {
      if (!dirty) return false;
      dirty = false;
      const { width } = this;
      if (width !== paintedWidth || pixels.length === 0) {
        painted = [];
        pixels = new Uint8Array(width * this.height * 4);
      }
      paintedWidth = width;
      const height = this.height / 2;
      areas = [0, 1]
        .filter((half) => painted[half] !== colours[half])
        .map((half) => ({ x: 0, y: half * height, width, height }));
      painted = [...colours];
      for (const { y } of areas) {
        const [red, green, blue] = plainColours[colours[y > 0 ? 1 : 0]! % plainColours.length]!;
        const colour = (255 << 24) | (blue << 16) | (green << 8) | red;
        new Uint32Array(pixels.buffer).fill(colour, y * width, (y + height) * width);
      }
      return areas.length > 0;
    },
    rest() {
      pixels = new Uint8Array(0);
      dirty = true;
    },
    touch(action: TouchAction, pointerId, x, y) {
      if (action === "down") colours[y < screen.height / 2 ? 0 : 1]!++;
      changed(`touch ${action} ${pointerId} ${Math.round(x)},${Math.round(y)}`);
    },
    scroll: (x, y, horizontal, vertical) => changed(`scroll ${x},${y} ${horizontal},${vertical}`),
    key(action, keyCode) {
      if (keyCode === HOME_KEY) app = "com.terrarium.launcher/.Launcher";
      changed(`key ${action} ${keyCode}`);
    },
    text: (text) => changed(`text ${text}`),
    view: () => ({
      className: "android.widget.FrameLayout",
      id: "",
      text: "",
      description: "",
      clickable: false,
      longClickable: false,
      scrollable: false,
      focused: false,
      checked: undefined,
      bounds: { left: 0, top: 0, right: screen.width, bottom: screen.height },
      children: [],
    }),
    startApp(packageName) {
      if (!host.apps().some((one) => one.packageName === packageName)) return false;
      app = `${packageName}/.Main`;
      changed(`start ${packageName}`);
      return true;
    },
    close: stop,
  };
  return screen;
};
