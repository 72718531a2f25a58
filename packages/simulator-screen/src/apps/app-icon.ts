import { graphemesOf } from "../draw/graphemes.ts";
import { tone } from "../draw/color.ts";
import { around, inset, midX, midY, type Rect } from "../draw/rect.ts";
import type { InstalledApp } from "@terrarium/simulator/screen";
import type { Ui } from "../ui/ui.ts";
import { faceOf } from "./app-face.ts";

/** The round icon of an app: its glyph, or the first letter of its name. `themed` is in the colours of Android 12 and later. */
export function drawAppIcon(ui: Ui, app: InstalledApp, r: Rect, themed = false): void {
  const { pen, look } = ui;
  const { hue, icon } = faceOf(app.packageName);
  const radius = r.w / 2;
  const [back, ink] =
    themed && look.era === "you"
      ? [look.colors.accentSoft, look.colors.onAccentSoft]
      : [tone(hue + 6, 0.15, 0.6), "#ffffff"];
  if (look.era === "you") pen.round(r, radius, back);
  else pen.raised(r, radius, back, r.w * 0.03);
  if (icon) pen.icon(icon, inset(r, r.w * 0.24), ink, 1.9);
  else {
    const letter = graphemesOf(app.label)[0]?.toUpperCase() ?? "?";
    pen.text(letter, midX(r), midY(r), {
      size: (r.w * 0.5) / pen.fontScale,
      weight: 600,
      color: ink,
      align: "center",
    });
  }
}

/** An icon with its name below, in a cell of a grid. */
export function drawAppCell(
  ui: Ui,
  app: InstalledApp,
  cell: Rect,
  label: { color: string; shadow: boolean; size: number; themed?: boolean },
): Rect {
  const icon = around(midX(cell), cell.y + label.size / 2 + 4, label.size, label.size);
  const scale = ui.pressed(`${app.packageName}/cell`) ? 0.94 : 1;
  drawAppIcon(ui, app, around(midX(icon), midY(icon), icon.w * scale, icon.h * scale), label.themed);
  const style = { size: 12, weight: 500, color: label.color, align: "center", max: cell.w - 6 } as const;
  if (label.shadow) {
    ui.pen.text(app.label, midX(cell) + 0.5, icon.y + icon.h + 15, { ...style, color: "rgba(0,0,0,0.45)" });
  }
  ui.pen.text(app.label, midX(cell), icon.y + icon.h + 14, style);
  return icon;
}
