import { around } from "../draw/rect.ts";
import type { Ui } from "../ui/ui.ts";

/** The note that keeps the picture honest, centred on a point. */
export function drawSimulated(ui: Ui, x: number, y: number): void {
  const style = { size: 12 / ui.pen.fontScale, weight: 500, color: "#ffffff" };
  const width = ui.pen.width("Simulated", style) + 40;
  ui.pen.round(around(x, y, width, 26), 13, "rgba(10,22,18,0.42)");
  ui.pen.icon("sprout", around(x - width / 2 + 18, y - 0.5, 15, 15), "#ffffff", 2);
  ui.pen.text("Simulated", x - width / 2 + 29, y, style);
}
