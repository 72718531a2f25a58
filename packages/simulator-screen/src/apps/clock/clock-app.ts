import type { IconName } from "../../draw/icons.ts";
import { around, inside, midX, rect, type Rect } from "../../draw/rect.ts";
import type { Ui } from "../../ui/ui.ts";
import type { CreateApp } from "../app.ts";
import { Stopwatch } from "./stopwatch.ts";
import { drawWorldClock } from "./world-clock.ts";

type Tab = "clock" | "stopwatch";

const tabs: { tab: Tab; icon: IconName; label: string }[] = [
  { tab: "clock", icon: "clock", label: "Clock" },
  { tab: "stopwatch", icon: "timer", label: "Stopwatch" },
];

/** The time here and elsewhere, and a stopwatch. */
export const createClockApp: CreateApp = (shell, app) => {
  let tab: Tab = "clock";
  const stopwatch = new Stopwatch(shell.host.clock);
  return {
    packageName: app.packageName,
    activity: ".Clock",
    draw(ui, frame) {
      ui.area("clock", frame.area, { blocks: true });
      ui.pen.fill(frame.area, ui.look.colors.background);
      const body = inside(frame.area, frame.insets);
      const height = ui.compact ? 40 : 72;
      const page = rect(body.x, body.y, body.w, body.h - height);
      if (tab === "clock") drawWorldClock(ui, shell.host, page);
      else stopwatch.draw(ui, page);
      drawTabs(ui, rect(body.x, page.y + page.h, body.w, height), tab, (chosen) => {
        tab = chosen;
      });
    },
  };
};

function drawTabs(ui: Ui, r: Rect, current: Tab, choose: (tab: Tab) => void): void {
  const { colors, era } = ui.look;
  const width = Math.min(180, (r.w / tabs.length) * (ui.compact ? 0.62 : 1));
  const left = midX(r) - (width * tabs.length) / 2;
  tabs.forEach(({ tab, icon, label }, i) => {
    const cell = rect(left + i * width, r.y, width, r.h);
    const on = tab === current;
    ui.area(`clock/${tab}`, cell, { tap: () => choose(tab), ripple: { color: colors.text, radius: 16 } });
    const y = ui.compact ? r.y + r.h / 2 : r.y + 24;
    const shown = ui.ease(`clock/${tab}/on`, on ? 1 : 0, 180);
    if (era === "you" && shown > 0) ui.pen.round(around(midX(cell), y, 24 + 40 * shown, 32), 16, colors.accentSoft);
    const ink = on ? (era === "you" ? colors.onAccentSoft : colors.accent) : colors.textSoft;
    ui.pen.icon(icon, around(midX(cell), y, 22, 22), ink);
    if (!ui.compact)
      ui.pen.text(label, midX(cell), r.y + 54, {
        size: 12,
        weight: 500,
        color: on ? colors.text : colors.textSoft,
        align: "center",
      });
  });
}
