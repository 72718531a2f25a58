import { alpha } from "../draw/color.ts";
import type { Pen } from "../draw/pen.ts";
import { around, rect } from "../draw/rect.ts";
import { type DeviceStateValues, hasBattery, type ScreenHost } from "@terrarium/simulator/screen";

/** The icons at the end of the status bar, drawn leftwards from `right`. Returns where they begin. */
export function drawStatusIcons(
  pen: Pen,
  right: number,
  y: number,
  { ink, host, percent }: { ink: string; host: ScreenHost; percent: boolean },
): number {
  const { values } = host.state;
  const { formFactor } = host.spec.hardware;
  let x = right;
  if (hasBattery(formFactor)) {
    if (percent) {
      const label = { size: 12 / pen.fontScale, weight: 500, color: ink, align: "right" } as const;
      x -= pen.text(`${values.battery.level}%`, x, y, label) + 5;
    }
    drawBattery(pen, x - 6, y, ink, values);
    x -= 18;
  }
  // A TV has no mobile network.
  if (formFactor !== "TV") {
    if (values.airplaneMode) pen.icon("airplane", around(x - 7, y, 15, 15), ink);
    else drawSignal(pen, x - 7, y, ink, values.mobileData || values.mobileSignal > 0 ? values.mobileSignal : 0);
    x -= values.airplaneMode ? 20 : 19;
  }
  if (values.wifi) {
    drawWifi(pen, x - 7, y, ink);
    x -= 20;
  }
  return x;
}

function drawBattery(pen: Pen, x: number, y: number, ink: string, { battery }: Readonly<DeviceStateValues>): void {
  const body = around(x, y + 0.8, 8.6, 13);
  pen.round(rect(x - 1.9, body.y - 1.6, 3.8, 2.4), 0.8, ink);
  pen.round(body, 1.8, alpha(ink, 0.32));
  const level = Math.min(100, Math.max(0, battery.level)) / 100;
  const low = battery.level <= 15 && battery.status === "discharging";
  pen.clipped(body, 1.8, () =>
    pen.fill(rect(body.x, body.y + body.h * (1 - level), body.w, body.h * level), low ? "#e5484d" : ink),
  );
  if (battery.status === "discharging") return;
  // The bolt is drawn in the opposite colour where it lies over the fill.
  pen.icon("bolt", around(x, y + 0.8, 10, 10), level > 0.55 ? opposite(ink) : ink);
}

const opposite = (ink: string): string => (ink === "#ffffff" ? "#1c1c1c" : "#ffffff");

function drawSignal(pen: Pen, x: number, y: number, ink: string, strength: number): void {
  const { g } = pen;
  const wedge = (part: number, color: string) => {
    g.set({ fillStyle: color });
    g.beginPath();
    g.moveTo(x - 6.5, y + 6.5);
    g.lineTo(x - 6.5 + 13 * part, y + 6.5);
    g.lineTo(x - 6.5 + 13 * part, y + 6.5 - 13 * part);
    g.closePath();
    g.fill();
  };
  wedge(1, alpha(ink, 0.32));
  wedge(Math.min(4, Math.max(0, strength)) / 4, ink);
}

function drawWifi(pen: Pen, x: number, y: number, ink: string): void {
  const { g } = pen;
  g.set({ fillStyle: ink });
  g.beginPath();
  g.moveTo(x, y + 6.5);
  g.arc(x, y + 6.5, 13, Math.PI * 1.26, Math.PI * 1.74);
  g.closePath();
  g.fill();
}
