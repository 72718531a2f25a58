import { tone } from "../../draw/color.ts";
import { around, midX, midY, rect, type Rect } from "../../draw/rect.ts";
import type { Ui } from "../../ui/ui.ts";
import { iconButton } from "../../ui/widgets.ts";
import type { CreateApp } from "../app.ts";
import { type Stroke, Strokes } from "./strokes.ts";

const LINE_DP = 7;
const INKS = [25, 75, 150, 250, 310].map((hue) => tone(hue, 0.17, 0.63));

/** Draws under each finger, up to ten at once. */
export const createPaint: CreateApp = (_shell, app) => {
  const strokes = new Strokes();
  let ink = INKS[3] ?? "#3060d0";
  const follow = (at: { x: number; y: number } | undefined, pointer: number): void => {
    if (at) strokes.add(pointer, [at.x, at.y], ink);
    else strokes.end(pointer);
  };
  return {
    packageName: app.packageName,
    activity: ".Paint",
    statusBar: (look) => ({ back: look.dark ? "#181c1a" : "#fbfaf6", ink: look.dark ? "#ffffff" : "#26302b" }),
    draw(ui, frame) {
      const { area, insets } = frame;
      ui.pen.fill(area, ui.look.dark ? "#181c1a" : "#fbfaf6");
      ui.area("paint", area, { blocks: true, follow, focusable: false });
      for (const stroke of strokes.all) drawStroke(ui, stroke);
      if (strokes.all.length === 0) {
        const style = { size: 16, color: ui.look.colors.textSoft, align: "center", max: area.w * 0.8 } as const;
        ui.pen.text("Draw with one finger or more", midX(area), midY(area) - 20, style);
      }
      const width = Math.min(area.w - insets.left - insets.right - 24, 340);
      const bottom = area.y + area.h - insets.bottom;
      const bar = around(area.x + insets.left + (area.w - insets.left - insets.right) / 2, bottom - 40, width, 56);
      drawInks(ui, bar, ink, (chosen) => {
        if (chosen) ink = chosen;
        else strokes.clear();
      });
    },
  };
};

function drawStroke(ui: Ui, { color, points }: Stroke): void {
  const [first] = points;
  if (!first) return;
  if (points.length === 1) ui.pen.circle(first[0], first[1], LINE_DP / 2, color);
  else ui.pen.line(points, color, LINE_DP);
}

function drawInks(ui: Ui, r: Rect, current: string, choose: (ink: string | undefined) => void): void {
  const { colors } = ui.look;
  ui.pen.raised(r, 28, colors.surface, 4);
  ui.area("paint/bar", r, { tap: () => undefined, focusable: false });
  const step = r.w / (INKS.length + 1);
  INKS.forEach((ink, i) => {
    const x = r.x + step * (i + 0.5);
    const size = ui.ease(`paint/${ink}`, ink === current ? 15 : 10, 140);
    ui.area(`paint/ink/${i}`, rect(r.x + step * i, r.y, step, r.h), {
      tap: () => choose(ink),
      ripple: { color: ink, radius: 28 },
    });
    ui.pen.circle(x, midY(r), size, ink);
    if (ink === current) ui.pen.ring({ x, y: midY(r), radius: size + 4 }, ink, 2);
  });
  const at = around(r.x + step * (INKS.length + 0.5), midY(r), Math.min(44, step), Math.min(44, step));
  iconButton(ui, "paint/clear", at, { icon: "trash", tap: () => choose(undefined) });
}
