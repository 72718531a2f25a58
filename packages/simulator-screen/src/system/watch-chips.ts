import { drawAppIcon } from "../apps/app-icon.ts";
import { tone } from "../draw/color.ts";
import { around, midX, midY, rect, type Rect } from "../draw/rect.ts";
import type { InstalledApp } from "@terrarium/simulator/screen";
import type { Ui } from "../ui/ui.ts";
import { textButton } from "../ui/widgets.ts";

const HEIGHT = 52;
const GAP = 5;

export interface Chips {
  id: string;
  title: string;
  chips: { app: InstalledApp; tap: (cell: Rect) => void; drawn?: (cell: Rect) => void }[];
  /** A word below the last of them. */
  end?: { label: string; tap: () => void };
}

/** Apps on a watch, over all else: one column whose rows shrink towards the round edge. */
export function drawChips(ui: Ui, screen: Rect, shown: number, { id, title, chips, end }: Chips): void {
  const { pen, look } = ui;
  const accent = tone(look.hue, 0.1, 0.82);
  ui.area(`${id}/apps`, screen, { blocks: true });
  pen.faded(Math.min(1, shown * 1.6), () => {
    pen.fill(screen, "#000000");
    const list = rect(0, screen.y + (1 - shown) * screen.h * 0.5, screen.w, screen.h);
    ui.scroll(`${id}/list`, list, (top) => {
      const start = top + screen.h * 0.24;
      pen.text(title, midX(screen), start - 20, { size: 15, weight: 500, color: accent, align: "center" });
      chips.forEach((chip, i) => drawChip(ui, id, screen, start + (i + 0.5) * (HEIGHT + GAP), chip));
      const length = chips.length * (HEIGHT + GAP);
      if (end)
        textButton(ui, `${id}/end`, around(midX(screen), start + length + 22, 110, 36), { ...end, color: accent });
      return screen.h * 0.5 + length + (end ? 36 : 0);
    });
  });
}

function drawChip(ui: Ui, id: string, screen: Rect, centre: number, { app, tap, drawn }: Chips["chips"][number]): void {
  const { pen, look } = ui;
  const away = Math.min(1, Math.abs(centre - midY(screen)) / (screen.h / 2));
  const scale = 1 - 0.3 * away ** 2;
  const cell = around(midX(screen), centre, (screen.w - 28) * scale, HEIGHT * scale);
  pen.round(cell, cell.h / 2, tone(look.hue, 0.03, 0.27));
  ui.area(`${id}/${app.packageName}`, cell, {
    tap: () => tap(cell),
    ripple: { color: "#ffffff", radius: cell.h / 2 },
  });
  drawAppIcon(ui, app, around(cell.x + cell.h * 0.6, centre, cell.h * 0.6, cell.h * 0.6));
  const style = { size: (15 * scale) / pen.fontScale, weight: 500, color: "#ffffff", max: cell.w - cell.h * 1.6 };
  pen.text(app.label, cell.x + cell.h * 1.12, centre, style);
  drawn?.(cell);
}
