import { around } from "../draw/rect.ts";
import type { Ui } from "../ui/ui.ts";

export const SIMULATED_WIDTH = 102;

/** The label that says what the picture is, centred on a point. */
export function drawSimulated(ui: Ui, x: number, y: number): void {
  const left = x - SIMULATED_WIDTH / 2;
  ui.pen.round(around(x, y, SIMULATED_WIDTH, 26), 13, "rgba(10,22,18,0.42)");
  ui.pen.icon("sprout", around(left + 18, y - 0.5, 15, 15), "#ffffff", 2);
  ui.pen.text("Simulated", left + 29, y, { size: 12 / ui.pen.fontScale, weight: 500, color: "#ffffff" });
}
