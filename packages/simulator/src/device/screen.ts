import type { Clock } from "@terrarium/clock";
import type { MachineSpec } from "@terrarium/runtime";
import type { DeviceState } from "./device-state.ts";

/** An application the launcher shows: one of our own, or an APK that was installed over adb. */
export interface InstalledApp {
  packageName: string;
  label: string;
  versionName: string;
  /** Own apps are drawn by us; an installed APK opens a page that says what it is and that its code is not run. */
  system: boolean;
}

/** What the drawn system UI may ask of the device it is the face of. */
export interface ScreenHost {
  spec: MachineSpec;
  clock: Clock;
  state: DeviceState;
  /** System properties, as `getprop` answers them. */
  property(name: string): string;
  apps(): InstalledApp[];
  /** Text files of the apps (Notes keeps its notes here), by absolute path; undefined when there is none. */
  readText(path: string): string | undefined;
  writeText(path: string, text: string): void;
  /** One line of logcat at info level. */
  log(tag: string, message: string): void;
}

/** What `uiautomator dump` tells of one thing on the screen. */
export interface ViewNode {
  /** Android's class of widget: `android.widget.TextView`. */
  className: string;
  /** What the screen calls it, or empty: `net/wifi`. */
  id: string;
  text: string;
  /** What it is, if no text says so. */
  description: string;
  clickable: boolean;
  longClickable: boolean;
  scrollable: boolean;
  focused: boolean;
  /** For what is switched on or off. */
  checked: boolean | undefined;
  /** Pixels of the current size; right and bottom lie outside. */
  bounds: { left: number; top: number; right: number; bottom: number };
  children: ViewNode[];
}

export type TouchAction = "down" | "move" | "up" | "cancel";

/**
 * The screen of one simulated device: it takes input and paints RGBA pixels.
 * It paints only when asked to; what is not watched costs nothing.
 */
export interface Screen {
  /** Current size in pixels, a multiple of 8 on both sides; the sides swap when the device turns. */
  readonly width: number;
  readonly height: number;
  /** Pixels, `width * height * 4` bytes RGBA, fresh after `paint` answered true. The next paint and `rest` take them away. */
  readonly pixels: Uint8Array;
  /** Paints when something changed since the last time or an animation runs; answers whether any pixel may differ. */
  paint(): boolean;
  /** Hears that something changed, so that whoever watches asks for a paint. One listener. */
  onChange: (() => void) | undefined;
  /** True while an animation needs a paint for each frame. */
  readonly animating: boolean;

  /** Pixels of the current size. Pointer ids are the caller's own; up to ten at once. */
  touch(action: TouchAction, pointerId: number, x: number, y: number): void;
  /** Wheel notches; positive `vertical` shows what is above. */
  scroll(x: number, y: number, horizontal: number, vertical: number): void;
  /** Android key codes and meta state, as `android.view.KeyEvent` numbers them. */
  key(action: "down" | "up", keyCode: number, metaState: number): void;
  /** Text as a keyboard would commit it. */
  text(text: string): void;
  /** Opens an app by package name; false when there is none. */
  startApp(packageName: string): boolean;
  /** The app in front, as `dumpsys window` tells it: `com.terrarium.settings/.Settings`. */
  readonly focused: string;
  /** What is on it, as a tree whose root is the whole screen. */
  view(): ViewNode;
  /** Gives back the memory for pixels; what is shown stays as it is, and the next paint draws it anew. */
  rest(): void;
  /** Lets go of canvases; after it nothing else may be called. */
  close(): void;
}

export type CreateScreen = (host: ScreenHost) => Screen;
