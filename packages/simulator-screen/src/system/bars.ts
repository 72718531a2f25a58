import type { FormFactor } from "@terrarium/runtime";
import { around, midX, midY, rect, type Insets, type Rect } from "../draw/rect.ts";
import type { Look } from "../look/look.ts";

type NavigationKind = "buttons" | "gesture" | "none";

/** Where the system's own bars lie on a screen. */
export interface Bars {
  status: Rect;
  navigation: Rect;
  kind: NavigationKind;
  /** What the bars and the camera take from an app. */
  insets: Insets;
  /** The camera, if the display has a hole for it. */
  hole?: Rect;
}

/** From the edge of the glass to the middle of the camera, and its size; dp. */
const HOLE = { middle: 20, size: 20, edge: 36 };

/** The bars round the camera: it stays where it is on the glass when that is turned, by quarters. */
export function barsWithHole(bars: Bars, screen: Rect, rotation: number): Bars {
  const { middle, size, edge } = HOLE;
  const at = [
    [midX(screen), middle],
    [middle, midY(screen)],
    [midX(screen), screen.h - middle],
    [screen.w - middle, midY(screen)],
  ][rotation] as [number, number];
  const { status, insets } = bars;
  const left = insets.left + (rotation === 1 ? edge : 0);
  const right = insets.right + (rotation === 3 ? edge : 0);
  const top = rotation === 0 && status.h > 0 ? Math.max(status.h, edge) : insets.top;
  return {
    ...bars,
    status: rect(status.x + left, status.y, status.w - left - (rotation === 3 ? edge : 0), top),
    insets: { ...insets, left, right, top },
    hole: around(at[0], at[1], size, size),
  };
}

/** The bars of a form factor, an Android version and an orientation. */
export function barsOf(screen: Rect, look: Look, formFactor: FormFactor, hasNavigation: boolean): Bars {
  const none = { status: rect(0, 0, 0, 0), navigation: rect(0, 0, 0, 0), kind: "none" as const };
  // A TV may cut off its edges, and a round display has no corners.
  if (formFactor === "TV") return { ...none, insets: { top: 20, bottom: 20, left: 40, right: 40 } };
  if (formFactor === "WATCH") {
    const [x, y] = [screen.w * 0.05, screen.h * 0.07];
    return { ...none, insets: { top: y, bottom: y, left: x, right: x } };
  }
  const wide = screen.w > screen.h;
  const top = look.era === "you" ? (wide ? 28 : 34) : 24;
  if (formFactor === "CAR") {
    if (!hasNavigation) return { ...none, insets: { top: 0, bottom: 0, left: 0, right: 0 } };
    const side = 88;
    const insets = { top: 0, bottom: 0, left: side, right: 0 };
    return { ...none, navigation: rect(0, 0, side, screen.h), insets };
  }
  const status = rect(0, 0, screen.w, top);
  if (!hasNavigation) return { ...none, status, insets: { top, bottom: 0, left: 0, right: 0 } };
  const kind = look.version >= 10 ? "gesture" : "buttons";
  // Before gestures, the keys of a phone stay at the same physical edge when it is turned.
  if (wide && formFactor === "PHONE" && kind !== "gesture") {
    const navigation = rect(screen.w - 48, 0, 48, screen.h);
    return { status: rect(0, 0, screen.w - 48, top), navigation, kind, insets: { top, bottom: 0, left: 0, right: 48 } };
  }
  const height = kind === "gesture" ? (hasTaskbar(look, formFactor) ? 60 : 24) : 48;
  const navigation = rect(0, screen.h - height, screen.w, height);
  return { status, navigation, kind, insets: { top, bottom: height, left: 0, right: 0 } };
}

/** Android 12L brought the taskbar to large screens. */
export const hasTaskbar = (look: Look, formFactor: FormFactor): boolean =>
  look.version >= 12 && (formFactor === "TABLET" || formFactor === "FOLDABLE");
