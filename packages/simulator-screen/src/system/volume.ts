import { around, midX, rect, type Rect } from "../draw/rect.ts";
import type { ScreenHost } from "@terrarium/simulator/screen";
import type { Ui } from "../ui/ui.ts";

const SHOWN_MS = 2000;
const STEPS = 15;

/** The volume as it is shown for a moment after one of its keys. */
export class Volume {
  #until = 0;

  change(host: ScreenHost, by: number): void {
    const volume = Math.min(STEPS, Math.max(0, host.state.values.volume + by));
    this.#until = host.clock.now() + SHOWN_MS;
    host.state.set({ volume });
  }

  draw(ui: Ui, host: ScreenHost, screen: Rect): void {
    const left = this.#until - ui.now;
    const shown = ui.ease("volume", left > 0 ? 1 : 0, 150);
    if (left > 0) ui.wake(this.#until);
    if (shown <= 0.01) return;
    const { pen, look } = ui;
    const { colors } = look;
    const part = ui.ease("volume/part", host.state.values.volume / STEPS, 120);
    const icon = host.state.values.volume === 0 ? "mute" : "sound";
    pen.faded(shown, () => {
      if (look.version <= 8) {
        const r = rect(screen.x + 8, screen.y + 32 - 12 * (1 - shown), Math.min(screen.w - 16, 400), 56);
        pen.raised(r, 2, look.dark ? "#37474f" : colors.shade, 6);
        pen.icon(icon, around(r.x + 30, r.y + 28, 24, 24), "#ffffff");
        pen.round(rect(r.x + 60, r.y + 26.5, r.w - 84, 3), 1.5, "rgba(255,255,255,0.3)");
        pen.round(rect(r.x + 60, r.y + 26.5, (r.w - 84) * part, 3), 1.5, "#ffffff");
        pen.circle(r.x + 60 + (r.w - 84) * part, r.y + 28, 7, "#ffffff");
        return;
      }
      const height = Math.min(220, screen.h * 0.5);
      const r = rect(screen.x + screen.w - 68 + 20 * (1 - shown), screen.y + screen.h * 0.36 - height / 2, 52, height);
      const track = rect(r.x + 6, r.y + 6, r.w - 12, r.h - 12);
      pen.raised(r, 26, colors.surface, 6);
      const thick = look.era === "you";
      if (thick) pen.round(track, 20, colors.accentSoft);
      else pen.round(around(midX(track), r.y + (r.h - 44) / 2 + 8, 3, r.h - 70), 1.5, colors.outline);
      if (thick)
        pen.clipped(track, 20, () =>
          pen.fill(rect(track.x, track.y + track.h * (1 - part), track.w, track.h), colors.accent),
        );
      else {
        const line = around(midX(track), r.y + (r.h - 44) / 2 + 8, 3, r.h - 70);
        pen.round(rect(line.x, line.y + line.h * (1 - part), 3, line.h * part), 1.5, colors.accent);
        pen.circle(midX(track), line.y + line.h * (1 - part), 8, colors.accent);
      }
      const covered = thick && part > 0.12;
      pen.icon(icon, around(midX(r), r.y + r.h - 28, 22, 22), covered ? colors.onAccent : colors.accent);
    });
  }
}
