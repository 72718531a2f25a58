import { createCanvas, type Canvas, type SKRSContext2D } from "@napi-rs/canvas";
import { tone } from "../draw/color.ts";

const HUE = 165;

/** The colour of writing on the upper part of the wallpaper. */
export const inkOn = ({ dark }: { dark: boolean }): string => (dark ? "#ffffff" : tone(HUE, 0.085, 0.33));

/** The background of a home screen, `width` by `height` pixels: big leaves behind misted glass, lit from above. */
export function createWallpaper(dark: boolean, width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const g = canvas.getContext("2d");
  const l = dark ? 0.42 : 1;
  const sky = g.createLinearGradient(0, 0, width * 0.25, height);
  sky.addColorStop(0, tone(HUE + 30, 0.05, 0.95 * l));
  sky.addColorStop(0.5, tone(HUE - 10, 0.07, 0.86 * l));
  sky.addColorStop(1, tone(HUE - 40, 0.075, 0.76 * l));
  g.fillStyle = sky;
  g.fillRect(0, 0, width, height);
  glow(g, [width * 0.82, height * 0.08, Math.max(width, height) * 0.5], tone(85, 0.1, 0.96), dark ? 0.28 : 0.9);
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
      const light = (0.8 - depth * 0.11 - (i % 2) * 0.03) * l;
      const color = tone(HUE - 10 + i * 5 - depth * 4, 0.09 + depth * 0.012, light);
      leaf(g, { x: fan.x * width, y: fan.y * height, angle, length }, color);
    }
  }
  return canvas;
}

function blade(g: SKRSContext2D, length: number): void {
  g.beginPath();
  g.moveTo(0, 0);
  g.bezierCurveTo(length * 0.25, -length * 0.24, length * 0.7, -length * 0.2, length, 0);
  g.bezierCurveTo(length * 0.7, length * 0.13, length * 0.3, length * 0.18, 0, 0);
}

function leaf(g: SKRSContext2D, at: { x: number; y: number; angle: number; length: number }, color: string): void {
  const { length } = at;
  g.save();
  g.translate(at.x, at.y);
  g.rotate((at.angle * Math.PI) / 180);
  // A few outlines make the shadow, each wider and fainter: a blur takes many times as long.
  for (const grown of [0.05, 0.032, 0.016]) {
    blade(g, length);
    g.lineJoin = "round";
    g.strokeStyle = "rgba(0,30,20,0.05)";
    g.lineWidth = length * grown;
    g.stroke();
  }
  blade(g, length);
  g.fillStyle = color;
  g.fill();
  g.clip();
  g.strokeStyle = "rgba(255,255,255,0.22)";
  g.lineWidth = Math.max(1, length * 0.005);
  g.beginPath();
  g.moveTo(length * 0.04, 0);
  g.quadraticCurveTo(length * 0.5, -length * 0.045, length * 0.95, 0);
  for (let i = 1; i <= 5; i++) {
    const x = length * (0.12 + i * 0.13);
    g.moveTo(x, -length * 0.025);
    g.quadraticCurveTo(x + length * 0.08, -length * 0.07, x + length * 0.13, -length * 0.105);
    g.moveTo(x, -length * 0.025);
    g.quadraticCurveTo(x + length * 0.09, length * 0.02, x + length * 0.13, length * 0.06);
  }
  g.stroke();
  g.restore();
}

function glow(g: SKRSContext2D, [x, y, radius]: [number, number, number], color: string, opacity: number): void {
  const gradient = g.createRadialGradient(x, y, 0, x, y, radius);
  gradient.addColorStop(0, color);
  gradient.addColorStop(1, `${color}00`);
  g.globalAlpha = opacity;
  g.fillStyle = gradient;
  g.fillRect(x - radius, y - radius, radius * 2, radius * 2);
  g.globalAlpha = 1;
}
