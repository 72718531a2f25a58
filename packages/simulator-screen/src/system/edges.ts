import { around, rect } from "../draw/rect.ts";
import type { Drag } from "../ui/hit.ts";
import type { Ui } from "../ui/ui.ts";

const REACH = 18;
const ENOUGH = 44;

/** Android 10 and up: a swipe in from either side goes back; an arrow follows the finger. */
export function drawEdges(ui: Ui, back: () => void): void {
  for (const side of ["left", "right"] as const) {
    const id = `edge/${side}`;
    const x = side === "left" ? 0 : ui.screen.w - REACH;
    const drag: Drag = {
      axis: "x",
      move: (by, at) => {
        ui.hold(id, Math.min(1, Math.max(0, (side === "left" ? by.x : -by.x) / ENOUGH)));
        ui.hold(`${id}/y`, at.y);
      },
      end: (_speed, by) => {
        ui.free(id);
        if ((side === "left" ? by.x : -by.x) >= ENOUGH) back();
      },
    };
    ui.area(id, rect(x, ui.screen.h * 0.12, REACH, ui.screen.h * 0.76), { drag, focusable: false });
    const out = ui.ease(id, 0, 160);
    if (out <= 0.02) continue;
    const y = ui.ease(`${id}/y`, ui.screen.h / 2, 1e9);
    const centre = side === "left" ? -20 + out * 40 : ui.screen.w + 20 - out * 40;
    ui.pen.round(around(centre, y, 40, 40), 20, ui.look.colors.accentSoft);
    ui.pen.icon("back", around(centre, y, 20, 20), ui.look.colors.onAccentSoft, 2.4);
  }
}

/** A watch: a swipe to the right, anywhere, goes back. */
export function drawSwipeBack(ui: Ui, back: () => void): void {
  ui.area("swipe", ui.screen, {
    drag: {
      axis: "x",
      move: () => undefined,
      end: (_speed, by) => {
        if (by.x > ENOUGH) back();
      },
    },
    focusable: false,
  });
}
