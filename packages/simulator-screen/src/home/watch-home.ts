import { tone } from "../draw/color.ts";
import { around, midX, midY, type Insets, type Rect } from "../draw/rect.ts";
import { gradient } from "../draw/mark.ts";
import { drawChips } from "../system/watch-chips.ts";
import { timeText } from "../system/time-text.ts";
import type { Ui } from "../ui/ui.ts";
import type { LauncherActions } from "./launcher.ts";

/** A watch face: the time, the date, the battery as a ring around the glass. */
export function drawWatchFace(ui: Ui, screen: Rect, _insets: Insets, launcher: LauncherActions): void {
  const { pen, look } = ui;
  const { host } = launcher;
  const { battery } = host.state.values;
  const [x, y] = [midX(screen), midY(screen)];
  const radius = Math.min(screen.w, screen.h) / 2;
  ui.area("face", screen, {
    blocks: true,
    tap: () => launcher.showDrawer(),
    drag: launcher.pullDrawer,
  });
  const glow = gradient("Radial", [x, y * 0.7, 0, x, y, radius], tone(look.hue, 0.06, 0.32), "#050807");
  pen.g.set({ fillStyle: glow });
  pen.g.fillRect(0, 0, screen.w, screen.h);
  drawTicks(ui, x, y, radius);
  const accent = tone(look.hue, 0.12, 0.82);
  pen.ring({ x, y, radius: radius - 7 }, "rgba(255,255,255,0.14)", 4);
  const low = battery.level <= 15 && battery.status === "discharging";
  pen.ring({ x, y, radius: radius - 7 }, low ? "#f2726f" : accent, 4, [0, Math.max(0.002, battery.level / 100)]);
  const scale = 1 / pen.fontScale;
  const white = { color: "#ffffff", align: "center" } as const;
  pen.text(timeText(host, "day"), x, y - radius * 0.46, { size: 14 * scale, weight: 500, ...white, color: accent });
  pen.text(timeText(host, "time"), x, y - radius * 0.06, { size: radius * 0.56 * scale, weight: 400, ...white });
  const level = `${battery.level}%`;
  pen.icon(battery.status === "charging" ? "bolt" : "battery", around(x - 18, y + radius * 0.34, 16, 16), accent);
  pen.text(level, x - 6, y + radius * 0.34, { size: 14 * scale, weight: 500, color: "#ffffff" });
  pen.text("Simulated", x, y + radius * 0.64, { size: 11 * scale, color: "rgba(255,255,255,0.7)", align: "center" });
  pen.icon("up", around(x, y + radius * 0.8, 14, 14), "rgba(255,255,255,0.6)");
}

function drawTicks(ui: Ui, x: number, y: number, radius: number): void {
  for (let i = 0; i < 60; i++) {
    const angle = (i / 60) * Math.PI * 2;
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    const length = i % 5 === 0 ? 7 : 3;
    const outer = radius - 14;
    const points: [number, number][] = [
      [x + sin * outer, y - cos * outer],
      [x + sin * (outer - length), y - cos * (outer - length)],
    ];
    ui.pen.line(points, i % 5 === 0 ? "rgba(255,255,255,0.55)" : "rgba(255,255,255,0.22)", 1.2);
  }
}

/** All apps of a watch. */
export function drawWatchApps(ui: Ui, screen: Rect, shown: number, launcher: LauncherActions): void {
  const apps = launcher.host.apps().toSorted((a, b) => a.label.localeCompare(b.label));
  drawChips(ui, screen, shown, {
    id: "watch",
    title: "Apps",
    chips: apps.map((app) => ({
      app,
      tap: (cell) => launcher.open(app, cell),
      drawn: (cell) => launcher.iconAt(app.packageName, cell),
    })),
  });
}

/** Blackens what a round display does not show. */
export function drawRoundGlass(ui: Ui, screen: Rect): void {
  const { g } = ui.pen;
  g.set({ fillStyle: "#000000" });
  g.beginPath();
  g.rect(-1, -1, screen.w + 2, screen.h + 2);
  g.arc(midX(screen), midY(screen), Math.min(screen.w, screen.h) / 2, 0, Math.PI * 2, true);
  g.fill("evenodd");
}
