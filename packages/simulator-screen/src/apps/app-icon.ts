import { graphemesOf } from "../draw/graphemes.ts";
import { tone } from "../draw/color.ts";
import { around, inset, midX, midY, rect, type Rect } from "../draw/rect.ts";
import type { InstalledApp } from "@terrarium/simulator/screen";
import type { Ui } from "../ui/ui.ts";
import { faceOf } from "./app-face.ts";

/** The round icon of an app: its glyph, or the first letter of its name. */
export function drawAppIcon(ui: Ui, app: InstalledApp, r: Rect): void {
  const { pen, look } = ui;
  const { hue, icon } = faceOf(app.packageName);
  const radius = r.w / 2;
  const top = tone(hue, 0.15, 0.7);
  const low = tone(hue + 12, 0.16, 0.53);
  if (look.era !== "you") pen.raised(rect(r.x, r.y, r.w, r.h), radius, low, r.w * 0.03);
  pen.clipped(r, radius, () => {
    pen.fade(r, top, low);
  });
  if (icon) pen.icon(icon, inset(r, r.w * 0.23), "#ffffff", 1.9);
  else {
    const letter = graphemesOf(app.label)[0]?.toUpperCase() ?? "?";
    pen.text(letter, midX(r), midY(r), {
      size: (r.w * 0.5) / pen.fontScale,
      weight: 600,
      color: "#ffffff",
      align: "center",
    });
  }
}

/** An icon with its name below, in a cell of a grid. */
export function drawAppCell(
  ui: Ui,
  app: InstalledApp,
  cell: Rect,
  label: { color: string; shadow: boolean; size: number },
): Rect {
  const icon = around(midX(cell), cell.y + label.size / 2 + 4, label.size, label.size);
  const scale = ui.pressed(`${app.packageName}/cell`) ? 0.94 : 1;
  drawAppIcon(ui, app, around(midX(icon), midY(icon), icon.w * scale, icon.h * scale));
  const style = { size: 12, weight: 500, color: label.color, align: "center", max: cell.w - 6 } as const;
  if (label.shadow) {
    ui.pen.text(app.label, midX(cell) + 0.5, icon.y + icon.h + 15, { ...style, color: "rgba(0,0,0,0.45)" });
  }
  ui.pen.text(app.label, midX(cell), icon.y + icon.h + 14, style);
  return icon;
}
