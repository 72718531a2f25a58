import { createCanvas, type Canvas, type SKRSContext2D } from "@napi-rs/canvas";
import { tone } from "../draw/color.ts";

const HUE = 165;

/** The colour of writing on the upper part of the wallpaper. */
export const inkOn = ({ dark }: { dark: boolean }): string => (dark ? "#ffffff" : tone(HUE, 0.085, 0.33));

/** The background of a home screen, `width` by `height` pixels: big leaves before an evening or a morning sky. */
export function createWallpaper(dark: boolean, width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const g = canvas.getContext("2d");
  // Far from each other in lightness and hue: a slow fade would show its steps, most of all in a video.
  const sky = g.createLinearGradient(width * 0.8, 0, width * 0.2, height);
  const stops = dark
    ? [tone(HUE + 75, 0.07, 0.42), tone(HUE + 40, 0.06, 0.27), tone(HUE, 0.05, 0.13)]
    : [tone(95, 0.06, 0.97), tone(HUE - 15, 0.06, 0.9), tone(HUE + 10, 0.09, 0.68)];
  for (const [i, stop] of stops.entries()) sky.addColorStop(i / 2, stop);
  g.fillStyle = sky;
  g.fillRect(0, 0, width, height);
  const small = Math.min(width, height);
  // Far leaves are pale, near ones deep; each fan grows from a corner.
  const fans = [
    { x: 0.15, y: 1.02, from: -100, to: -20, count: 6, length: 1.15 },
    { x: 0.98, y: 1.05, from: -160, to: -75, count: 6, length: 1.05 },
    { x: -0.05, y: 1.08, from: -88, to: 0, count: 5, length: 0.82 },
    { x: 0.85, y: 1.12, from: -175, to: -80, count: 5, length: 0.72 },
  ];
  for (const [depth, fan] of fans.entries()) {
    for (let i = 0; i < fan.count; i++) {
      const angle = fan.from + ((fan.to - fan.from) * i) / (fan.count - 1);
      const length = small * fan.length * (0.8 + 0.25 * Math.sin(i * 2.1 + depth));
      const light = (0.76 - depth * 0.1 - (i % 2) * 0.045) * (dark ? 0.5 : 1);
      leaf(g, { x: fan.x * width, y: fan.y * height, angle, length }, HUE - 8 + i * 4 - depth * 4, light);
    }
  }
  return canvas;
}

/** One leaf of two halves that meet at its rib, deep at the stem and bright at the tip. */
function leaf(
  g: SKRSContext2D,
  at: { x: number; y: number; angle: number; length: number },
  hue: number,
  light: number,
): void {
  const { length } = at;
  g.save();
  g.translate(at.x, at.y);
  g.rotate((at.angle * Math.PI) / 180);
  for (const [side, lit] of [
    [-0.23, light],
    [0.17, light * 0.9],
  ] as const) {
    const fade = g.createLinearGradient(0, 0, length, 0);
    fade.addColorStop(0.1, tone(hue + 6, 0.085, lit * 0.72));
    fade.addColorStop(1, tone(hue - 6, 0.095, Math.min(0.94, lit * 1.12)));
    g.fillStyle = fade;
    g.beginPath();
    g.moveTo(0, 0);
    g.bezierCurveTo(length * 0.25, length * side, length * 0.7, length * side * 0.85, length, 0);
    g.quadraticCurveTo(length * 0.5, -length * 0.045, 0, 0);
    g.fill();
  }
  g.restore();
}
