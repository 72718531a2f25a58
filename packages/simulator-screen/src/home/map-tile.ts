import { tone } from "../draw/color.ts";
import type { Pen } from "../draw/pen.ts";
import { around, rect, type Rect } from "../draw/rect.ts";

/** A town that is nowhere: blocks, a park, a river, streets and a way through them. Drawn, not measured. */
export function drawMap(pen: Pen, r: Rect, dark: boolean): void {
  const ground = dark ? "#1d2624" : "#e9eeea";
  const street = dark ? "#34403c" : "#ffffff";
  const at = (x: number, y: number): [number, number] => [r.x + x * r.w, r.y + y * r.h];
  pen.clipped(r, 24, () => {
    pen.fill(r, ground);
    pen.circle(...at(0.2, 0.3), Math.min(r.w, r.h) * 0.24, dark ? "#23402f" : "#cfe5cd");
    pen.circle(...at(0.83, 0.78), Math.min(r.w, r.h) * 0.17, dark ? "#23402f" : "#cfe5cd");
    drawRiver(pen, r, dark);
    const unit = Math.min(r.w, r.h) / 100;
    for (let i = -1; i < 8; i++) {
      pen.line([at(i * 0.16 - 0.06, -0.1), at(i * 0.16 + 0.1, 1.1)], street, (i % 3 === 0 ? 3.4 : 1.8) * unit);
      pen.line([at(-0.1, i * 0.17 + 0.03), at(1.1, i * 0.17 - 0.08)], street, (i % 3 === 1 ? 3.4 : 1.6) * unit);
    }
    const way = [at(0.42, 1.05), at(0.395, 0.66), at(0.36, 0.47), at(0.67, 0.42), at(0.62, 0.12), at(0.72, -0.05)];
    pen.line(way, dark ? "#0c3554" : "#ffffff", 4.4 * unit);
    pen.line(way, dark ? "#6bb2ee" : "#1f66c1", 2.8 * unit);
    const [x, y] = at(0.395, 0.66);
    pen.circle(x, y, 7 * unit, "rgba(31,102,193,0.2)");
    pen.circle(x, y, 3.7 * unit, "#ffffff");
    pen.icon("arrow", around(x, y - 0.2 * unit, 5 * unit, 5 * unit), "#1f66c1");
  });
}

function drawRiver(pen: Pen, r: Rect, dark: boolean): void {
  const { g } = pen;
  const strokeStyle = dark ? tone(235, 0.05, 0.34) : tone(230, 0.055, 0.85);
  g.set({ strokeStyle, lineWidth: Math.min(r.w, r.h) * 0.13 });
  g.beginPath();
  g.moveTo(r.x - 20, r.y + r.h * 0.86);
  g.bezierCurveTo(
    r.x + r.w * 0.3,
    r.y + r.h * 0.7,
    r.x + r.w * 0.55,
    r.y + r.h * 1.02,
    r.x + r.w * 0.72,
    r.y + r.h * 0.62,
  );
  g.bezierCurveTo(
    r.x + r.w * 0.84,
    r.y + r.h * 0.36,
    r.x + r.w * 0.9,
    r.y + r.h * 0.3,
    r.x + r.w + 20,
    r.y + r.h * 0.18,
  );
  g.stroke();
}

/** The words on the map: that it is only a drawing. */
export function drawMapLabel(pen: Pen, r: Rect, dark: boolean): void {
  const label = rect(r.x + 20, r.y + 20, 176, 56);
  pen.raised(label, 18, dark ? "#26312e" : "#ffffff", 3);
  pen.icon("arrow", around(label.x + 30, label.y + 28, 22, 22), dark ? "#6bb2ee" : "#1f66c1");
  pen.text("Drawn map", label.x + 56, label.y + 19, { size: 15, weight: 500, color: dark ? "#ecf2ef" : "#1b2320" });
  pen.text("No real place", label.x + 56, label.y + 38, { size: 13, color: dark ? "#9fb0a9" : "#5b6862" });
}
