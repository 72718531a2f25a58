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
    this.#until = host.clock.monotonic() + SHOWN_MS;
    host.state.set({ volume });
  }

  draw(ui: Ui, host: ScreenHost, screen: Rect): void {
    const left = this.#until - ui.now;
    const shown = ui.ease("volume", left > 0 ? 1 : 0, 150);
    if (left > 0) ui.wake(this.#until);
    if (shown <= 0.01) return;
    const { pen } = ui;
    const { colors } = ui.look;
    const part = ui.ease("volume/part", host.state.values.volume / STEPS, 120);
    const icon = host.state.values.volume === 0 ? "mute" : "sound";
    pen.faded(shown, () => {
      const height = Math.min(220, screen.h * 0.5);
      const r = rect(screen.x + screen.w - 68 + 20 * (1 - shown), screen.y + screen.h * 0.36 - height / 2, 52, height);
      const track = rect(r.x + 6, r.y + 6, r.w - 12, r.h - 12);
      pen.raised(r, 26, colors.surface, 6);
      pen.round(track, 20, colors.accentSoft);
      pen.clipped(track, 20, () =>
        pen.fill(rect(track.x, track.y + track.h * (1 - part), track.w, track.h), colors.accent),
      );
      const ink = part > 0.12 ? colors.onAccent : colors.accent;
      pen.icon(icon, around(midX(r), r.y + r.h - 28, 22, 22), ink);
    });
  }
}
