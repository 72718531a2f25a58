import type { Clock } from "@terrarium/clock";
import type { MachineSpec } from "@terrarium/runtime";
import type { Area } from "@terrarium/video";
import type { DeviceState } from "./device-state.ts";

/** An application that the launcher shows: one of our own, or an installed APK. */
export interface InstalledApp {
  packageName: string;
  label: string;
  versionName: string;
  /** Own apps are drawn by us; an installed APK opens a page that says what it is and that its code is not run. */
  system: boolean;
}

/** What a screen may ask of its device. */
export interface ScreenHost {
  spec: MachineSpec;
  clock: Clock;
  state: DeviceState;
  /** System properties, as `getprop` answers them. */
  property(name: string): string;
  apps(): InstalledApp[];
  /** Text files of the apps (Notes stores its notes here), by absolute path; undefined when there is none. */
  readText(path: string): string | undefined;
  writeText(path: string, text: string): void;
  /** Something was tapped, which is to be heard. */
  click(): void;
  /** One line of logcat at info level. */
  log(tag: string, message: string): void;
}

/** What `uiautomator dump` says about one thing on the screen. */
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
  /** `width * height * 4` bytes RGBA, valid after `paint` until the next paint or `rest`. */
  readonly pixels: Uint8Array;
  /** Paints if something changed or an animation runs. Returns whether any pixel may differ. */
  paint(): boolean;
  /** Where pixels may differ since the paint that last returned true. */
  readonly changed: readonly Area[];
  /** Called when something has changed, so that a watcher asks for a paint. */
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
  /** The app in front, as `dumpsys window` prints it: `com.terrarium.settings/.Settings`. */
  readonly focused: string;
  /** What is on it, as a tree whose root is the whole screen. */
  view(): ViewNode;
  /** Frees the memory for pixels. The next paint draws the same again. */
  rest(): void;
  /** Frees everything. Nothing may be called after it. */
  close(): void;
}

export type CreateScreen = (host: ScreenHost) => Screen;
