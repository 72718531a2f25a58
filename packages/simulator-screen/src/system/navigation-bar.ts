import { around, midX, midY, rect, type Rect } from "../draw/rect.ts";
import type { Ui } from "../ui/ui.ts";
import type { Bars } from "./bars.ts";

export interface NavigationKeys {
  back: () => void;
  home: () => void;
  recents: () => void;
  /** The keyboard is up: back points down to put it away. */
  keyboardUp: boolean;
  /** The gesture that lifts the app in front; `part` 0..1 of the way. */
  lift: (part: number | undefined) => void;
}

const FULL_LIFT = 260;

/** Triangle, circle and square, or the line that is swiped up. */
export function drawNavigationBar(
  ui: Ui,
  bars: Bars,
  colors: { back: string | undefined; ink: string },
  keys: NavigationKeys,
): void {
  const bar = bars.navigation;
  if (colors.back) ui.pen.fill(bar, colors.back);
  if (bars.kind === "gesture") drawLine(ui, bar, colors.ink, keys);
  else if (bars.kind !== "none") drawKeys(ui, bars, colors.ink, keys);
}

function drawKeys(ui: Ui, bars: Bars, ink: string, keys: NavigationKeys): void {
  const bar = bars.navigation;
  const upright = bar.h > bar.w;
  const length = upright ? bar.h : bar.w;
  const gap = Math.min(116, length * 0.29);
  const place = (step: number): [number, number] =>
    upright ? [midX(bar), midY(bar) - step * gap] : [midX(bar) + step * gap, midY(bar)];
  const key = (id: string, step: number, tap: () => void): [number, number] => {
    const [x, y] = place(step);
    ui.area(`nav/${id}`, around(x, y, upright ? 48 : gap * 0.8, upright ? gap * 0.8 : 48), {
      tap,
      hold: id === "home" ? keys.recents : undefined,
      label: id,
      ripple: { color: ink, radius: 24 },
      focusable: false,
    });
    return [x, y];
  };
  const [backX, backY] = key("back", -1, keys.back);
  drawTriangle(ui, { x: backX, y: backY, ink, turned: keys.keyboardUp });
  const [homeX, homeY] = key("home", 0, keys.home);
  ui.pen.ring({ x: homeX, y: homeY, radius: 8 }, ink, 2);
  const [x, y] = key("recents", 1, keys.recents);
  ui.pen.outline(around(x, y, 14, 14), 1, ink, 2);
}

function drawTriangle(ui: Ui, mark: { x: number; y: number; ink: string; turned: boolean }): void {
  const { g } = ui.pen;
  g.save();
  g.translate(mark.x, mark.y);
  if (mark.turned) g.rotate(-Math.PI / 2);
  g.beginPath();
  g.moveTo(-8, 0);
  g.lineTo(6, -8);
  g.lineTo(6, 8);
  g.closePath();
  g.set({ lineJoin: "round", lineWidth: 2, strokeStyle: mark.ink });
  g.stroke();
  g.restore();
}

function drawLine(ui: Ui, bar: Rect, ink: string, keys: NavigationKeys): void {
  const width = Math.min(132, ui.screen.w * 0.32);
  ui.pen.round(around(midX(bar), bar.y + bar.h - 10, width, 4.5), 2.25, ink);
  ui.area("nav/line", rect(bar.x, bar.y + bar.h - 28, bar.w, 28), { drag: lifting(keys), focusable: false });
}

/** Up quickly goes home, up and held shows what is running. */
const lifting = (keys: NavigationKeys) => ({
  axis: "y" as const,
  move: (by: { y: number }) => keys.lift(Math.min(1, Math.max(0, -by.y / FULL_LIFT))),
  end: (speed: { y: number }, by: { y: number }) => {
    keys.lift(undefined);
    if (-by.y < 24) return;
    if (speed.y > -150 && -by.y > 110) keys.recents();
    else keys.home();
  },
});
