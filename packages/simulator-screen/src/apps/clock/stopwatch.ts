import type { Clock } from "@terrarium/clock";
import { around, midX, rect, type Rect } from "../../draw/rect.ts";
import type { Ui } from "../../ui/ui.ts";
import { textButton } from "../../ui/widgets.ts";

/** Counts time by the device's clock; while it runs each frame differs. */
export class Stopwatch {
  readonly #clock: Clock;
  #startedAt: number | undefined;
  #counted = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get elapsedMs(): number {
    return this.#counted + (this.#startedAt === undefined ? 0 : this.#clock.monotonic() - this.#startedAt);
  }

  draw(ui: Ui, r: Rect): void {
    const { colors } = ui.look;
    if (this.#startedAt !== undefined) ui.motion = true;
    const radius = Math.min(r.w * 0.38, r.h * 0.32, 160);
    const centre = { x: midX(r), y: r.y + r.h * 0.42 };
    const second = (this.elapsedMs % 60_000) / 60_000;
    ui.pen.ring({ ...centre, radius }, colors.surfaceHigh, 8);
    if (this.elapsedMs > 0) ui.pen.ring({ ...centre, radius }, colors.accent, 8, [0, Math.max(0.001, second)]);
    const size = (radius * 0.44) / ui.pen.fontScale;
    ui.pen.text(elapsedText(this.elapsedMs), centre.x, centre.y, {
      size,
      weight: 300,
      color: colors.text,
      align: "center",
    });
    const y = Math.min(r.y + r.h - 30, centre.y + radius + 56);
    const buttons = rect(midX(r) - Math.min(110, r.w / 2), y - 24, Math.min(220, r.w), 48);
    const half = buttons.w / 2;
    const left = around(buttons.x + half / 2, y, half - 8, 48);
    const right = around(buttons.x + half * 1.5, y, half - 8, 48);
    textButton(ui, "stopwatch/reset", left, { label: "Reset", tap: () => this.#reset() });
    const label = this.#startedAt === undefined ? "Start" : "Stop";
    textButton(ui, "stopwatch/run", right, { label, filled: true, tap: () => this.#toggle() });
  }

  #toggle(): void {
    if (this.#startedAt === undefined) this.#startedAt = this.#clock.monotonic();
    else {
      this.#counted = this.elapsedMs;
      this.#startedAt = undefined;
    }
  }

  #reset(): void {
    this.#counted = 0;
    if (this.#startedAt !== undefined) this.#startedAt = this.#clock.monotonic();
  }
}

function elapsedText(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${Math.floor(ms / 60_000)}:${two((ms / 1000) % 60)}.${two((ms % 1000) / 10)}`;
}
