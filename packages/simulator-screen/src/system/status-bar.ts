import { midY, type Rect } from "../draw/rect.ts";
import type { ScreenHost } from "@terrarium/simulator/screen";
import type { Ui } from "../ui/ui.ts";
import { drawStatusIcons } from "./status-icons.ts";
import { timeText } from "./time-text.ts";

/** The clock and the signs at the top. Android 9 moved the clock from the right to the left. */
export function drawStatusBar(
  ui: Ui,
  host: ScreenHost,
  bar: Rect,
  colors: { back: string | undefined; ink: string },
): void {
  const { pen, look } = ui;
  if (colors.back) pen.fill(bar, colors.back);
  const modern = look.era !== "paper";
  const edge = modern ? (look.era === "you" ? 24 : 16) : 8;
  const y = midY(bar) + (look.era === "you" ? 2 : 0);
  const time = { size: (modern ? 14 : 13.5) / pen.fontScale, weight: 500, color: colors.ink };
  const text = timeText(host, "time");
  if (modern) {
    pen.text(text, bar.x + edge, y, time);
    drawStatusIcons(pen, bar.x + bar.w - edge, y, { ink: colors.ink, host, percent: look.era === "you" });
  } else {
    const width = pen.text(text, bar.x + bar.w - edge, y, { ...time, align: "right" });
    drawStatusIcons(pen, bar.x + bar.w - edge - width - 6, y, { ink: colors.ink, host, percent: false });
  }
  ui.wakeEvery(60_000, host.clock.now());
}
