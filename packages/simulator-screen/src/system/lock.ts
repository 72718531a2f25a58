import { midX, rect } from "../draw/rect.ts";
import type { ScreenHost } from "@terrarium/simulator/screen";
import type { Ui } from "../ui/ui.ts";
import type { Bars } from "./bars.ts";
import { timeText } from "./time-text.ts";

/** The clock over the wallpaper, which a finger pushes up. `rise` 0..1 is how far it has gone. */
export function drawLock(
  ui: Ui,
  host: ScreenHost,
  bars: Bars,
  lock: { rise: number; unlock: () => void; notices: (column: ReturnType<typeof rect>) => void },
): void {
  const { pen, look, screen } = ui;
  const way = screen.h * 0.45;
  ui.area("lock", screen, {
    blocks: true,
    drag: {
      axis: "y",
      move: (by) => ui.hold("lock", 1 - Math.min(1, Math.max(0, -by.y / way))),
      end: (speed, by) => {
        ui.free("lock");
        if (speed.y < -400 || (by.y < -way * 0.25 && speed.y < 200)) lock.unlock();
      },
    },
  });
  pen.fade(screen, "rgba(0,44,38,0.56)", "rgba(0,36,30,0.22)");
  const white = { color: "#ffffff", align: "center" } as const;
  const scale = 1 / pen.fontScale;
  const x = midX(screen);
  const size = Math.min(screen.h * 0.2, 116);
  const top = screen.h * 0.14 - lock.rise * way * 0.6 + bars.insets.top;
  const time = timeText(host, "time");
  pen.icon("lock", rect(x - 10, top - 26, 20, 20), "#ffffff");
  let y = top + size * 0.6;
  if (look.era === "you" && screen.h > screen.w) {
    // Hours over minutes.
    const ink = look.dark ? look.colors.accent : look.colors.accentSoft;
    for (const part of time.split(/\D/)) {
      const style = { size: size * scale, weight: 300, ...white, color: ink };
      pen.text(part.padStart(2, "0"), x, y, style);
      y += size * 0.88;
    }
    y -= size * 0.24;
  } else {
    pen.text(time, x, y, { size: size * 0.8 * scale, weight: 200, ...white });
    y += size * 0.62;
  }
  pen.text(timeText(host, "longDay"), x, y, { size: 18 * scale, ...white });
  const width = Math.min(480, screen.w - 32);
  lock.notices(rect(x - width / 2, y + 36, width, 68));
  pen.text("Swipe up to open", x, screen.h - Math.max(44, bars.insets.bottom + 22), { size: 14 * scale, ...white });
  ui.wakeEvery(60_000, host.clock.now());
}
