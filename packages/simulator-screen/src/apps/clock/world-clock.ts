import { midX, rect, type Rect } from "../../draw/rect.ts";
import type { ScreenHost } from "@terrarium/simulator/screen";
import { timeParts, timeText } from "../../system/time-text.ts";
import type { Ui } from "../../ui/ui.ts";

const CITIES = ["Europe/London", "America/New_York", "Asia/Tokyo", "Australia/Sydney"];

/** A dial for the time of the device, and what time it is in some other places. */
export function drawWorldClock(ui: Ui, host: ScreenHost, r: Rect): void {
  const { colors } = ui.look;
  const wide = r.w > r.h * 1.2 && !ui.compact;
  const radius = Math.min(wide ? r.w * 0.22 : r.w * 0.36, r.h * (wide ? 0.38 : 0.27), 170);
  const x = wide ? r.x + r.w * 0.27 : midX(r);
  const y = wide ? r.y + r.h * 0.46 : r.y + radius + (ui.compact ? 8 : 36);
  drawDial(ui, { x, y, radius }, timeParts(host));
  ui.wakeEvery(1000, host.clock.now());
  const day = { size: 15, weight: 500, color: colors.textSoft, align: "center" } as const;
  ui.pen.text(`${timeText(host, "time")}  ·  ${timeText(host, "day")}`, x, y + radius + 32, day);
  if (ui.compact) return;
  const list = wide
    ? rect(r.x + r.w * 0.52, r.y + 16, r.w * 0.44, r.h - 16)
    : rect(r.x + 16, y + radius + 64, r.w - 32, 0);
  const height = 64;
  CITIES.forEach((zone, i) => {
    const row = rect(list.x, list.y + i * height, list.w, height - 4);
    if (row.y + row.h > r.y + r.h) return;
    ui.pen.round(row, Math.min(20, ui.look.radius.card), colors.surface);
    const city = (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
    ui.pen.text(city, row.x + 20, row.y + 20, { size: 16, weight: 500, color: colors.text });
    ui.pen.text(timeText(host, "day", zone), row.x + 20, row.y + 42, { size: 13, color: colors.textSoft });
    ui.pen.text(timeText(host, "fullTime", zone), row.x + row.w - 20, row.y + 30, {
      size: 24,
      weight: 300,
      color: colors.text,
      align: "right",
    });
  });
}

function drawDial(
  ui: Ui,
  dial: { x: number; y: number; radius: number },
  time: { hour: number; minute: number; second: number },
): void {
  const { colors } = ui.look;
  const { x, y, radius } = dial;
  ui.pen.circle(x, y, radius, colors.surfaceHigh);
  const hand = (turn: number, part: number, look: { color: string; width: number }) => {
    const angle = turn * Math.PI * 2;
    const tip: [number, number] = [x + Math.sin(angle) * radius * part, y - Math.cos(angle) * radius * part];
    ui.pen.line([[x, y], tip], look.color, look.width);
  };
  for (let i = 0; i < 12; i++) {
    const angle = (i / 12) * Math.PI * 2;
    const dot = i % 3 === 0 ? 3.4 : 2;
    ui.pen.circle(x + Math.sin(angle) * radius * 0.86, y - Math.cos(angle) * radius * 0.86, dot, colors.textSoft);
  }
  hand(((time.hour % 12) + time.minute / 60) / 12, 0.5, { color: colors.text, width: radius * 0.075 });
  hand((time.minute + time.second / 60) / 60, 0.72, { color: colors.accent, width: radius * 0.055 });
  hand(time.second / 60, 0.8, { color: colors.danger, width: 2 });
  ui.pen.circle(x, y, radius * 0.05, colors.danger);
}
