import { midX, rect, type Rect } from "../draw/rect.ts";
import type { ScreenHost } from "@terrarium/simulator/screen";
import type { Ui } from "../ui/ui.ts";
import { textButton } from "../ui/widgets.ts";
import { drawSwipeBack } from "./edges.ts";
import { drawWideTiles, tilesOf } from "./shade-tiles.ts";
import { drawStatusIcons } from "./status-icons.ts";
import { timeText } from "./time-text.ts";

/** Half of what the signs of the status bar take, so that they stand in the middle. */
const HALF_SIGNS = 44;

/** The quick settings of a round glass: one column, nothing in the corners. `top` is where the sheet is on its way down. */
export function drawWatchShade(
  ui: Ui,
  host: ScreenHost,
  screen: Rect,
  { top, openSettings, close }: { top: number; openSettings: () => void; close: () => void },
): void {
  const { pen, look } = ui;
  const { colors } = look;
  const sheet = rect(screen.x, top, screen.w, screen.h);
  pen.fill(sheet, "#000000");
  ui.area("shade/sheet", sheet, { blocks: true, focusable: false });
  drawSwipeBack(ui, close);
  const column = rect(midX(sheet) - screen.w * 0.36, 0, screen.w * 0.72, 0);
  ui.scroll("shade/list", sheet, (start) => {
    let y = start + screen.h * 0.13;
    pen.text(timeText(host, "time"), midX(sheet), y, { size: 20, color: colors.text, align: "center" });
    y += 24;
    const signs = { ink: colors.text, host, percent: true };
    drawStatusIcons(pen, midX(sheet) + HALF_SIGNS, y, signs);
    y += 22;
    y += drawWideTiles(ui, { ...column, y }, tilesOf(host), 1) + 8;
    const button = { label: "Settings", color: colors.accent, tap: openSettings };
    textButton(ui, "shade/settings", { ...column, y, h: 44 }, button);
    return y + 44 + screen.h * 0.2 - start;
  });
}
