import { createCanvas, type Canvas, type SKRSContext2D } from "@napi-rs/canvas";
import { tone } from "../draw/color.ts";
import type { Look } from "./look.ts";

/** What is written on the upper part of the wallpaper: the pale skies of Android 12 and up want dark letters by day. */
export const inkOn = (look: Look): string =>
  look.era === "you" && !look.dark ? tone(look.hue, 0.085, 0.33) : "#ffffff";

/** Paints the background of a home screen once; it is copied from then on. `width` and `height` in pixels. */
export function createWallpaper(look: Look, width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const g = canvas.getContext("2d");
  // Every wallpaper is drawn on a field of 1 by 1, stretched to cover; curves stay curves at any aspect.
  if (look.era === "paper") paperSheets(g, look, width, height);
  else if (look.era === "oreo") mountains(g, look, width, height);
  else if (look.version <= 11) dunes(g, look, width, height);
  else if (look.version === 13 || look.version === 16) glasshouse(g, look, width, height);
  else valley(g, look, width, height);
  return canvas;
}

function sky(g: SKRSContext2D, colors: string[], width: number, height: number): void {
  const gradient = g.createLinearGradient(0, 0, width * 0.25, height);
  colors.forEach((color, i) => gradient.addColorStop(i / (colors.length - 1), color));
  g.fillStyle = gradient;
  g.fillRect(0, 0, width, height);
}

/** Sheets of coloured paper, each with its shadow on the next. */
function paperSheets(g: SKRSContext2D, { hue, dark }: Look, width: number, height: number): void {
  const shade = dark ? 0.62 : 1;
  sky(g, [tone(hue, 0.075, 0.62 * shade), tone(hue + 15, 0.08, 0.47 * shade)], width, height);
  const size = Math.max(width, height);
  const sheets: [number, number, number, string][] = [
    [0.86, 0.03, -38, tone(hue + 5, 0.08, 0.53 * shade)],
    [1.02, 0.3, -38, tone(hue, 0.07, 0.7 * shade)],
    [0.1, 0.82, -38, tone(hue + 20, 0.09, 0.42 * shade)],
    [0.92, 0.82, 34, tone(80, 0.14, 0.8 * shade)],
    [1.08, 0.98, 34, tone(45, 0.17, 0.68 * shade)],
    [0.32, 1.12, -38, tone(hue + 30, 0.075, 0.35 * shade)],
  ];
  for (const [x, y, angle, color] of sheets) {
    g.save();
    g.translate(x * width, y * height);
    g.rotate((angle * Math.PI) / 180);
    // A fade in front of the edge costs a tenth of a blurred shadow and looks the same.
    const shade = g.createLinearGradient(0, -size * 0.022, 0, 0);
    shade.addColorStop(0, "rgba(0,0,0,0)");
    shade.addColorStop(1, "rgba(0,0,0,0.3)");
    g.fillStyle = shade;
    g.fillRect(-size, -size * 0.022, size * 2, size * 0.022);
    g.fillStyle = color;
    g.fillRect(-size, 0, size * 2, size * 0.34);
    g.restore();
  }
}

/** A ridge from left to right: `wave` gives the height for x in 0..1, in parts of the whole height. */
function ridge(
  g: SKRSContext2D,
  box: [number, number],
  wave: (x: number) => number,
  color: string | [string, string],
): void {
  const [width, height] = box;
  let top = height;
  g.beginPath();
  g.moveTo(0, height);
  for (let i = 0; i <= 120; i++) {
    const y = wave(i / 120) * height;
    top = Math.min(top, y);
    g.lineTo((i / 120) * width, y);
  }
  g.lineTo(width, height);
  g.closePath();
  if (typeof color === "string") g.fillStyle = color;
  else {
    const gradient = g.createLinearGradient(0, top, 0, Math.min(height, top + height * 0.45));
    gradient.addColorStop(0, color[0]);
    gradient.addColorStop(1, color[1]);
    g.fillStyle = gradient;
  }
  g.fill();
}

/** Peaks in haze, one behind the other. */
function mountains(g: SKRSContext2D, { hue, dark }: Look, width: number, height: number): void {
  const l = dark ? 0.55 : 1;
  sky(g, [tone(hue, 0.09, 0.52 * l), tone(hue - 20, 0.06, 0.74 * l), tone(60, 0.07, 0.87 * l)], width, height);
  glow(g, [width * 0.72, height * 0.42, Math.max(width, height) * 0.3], tone(70, 0.09, 0.93), dark ? 0.25 : 0.75);
  for (let layer = 0; layer < 5; layer++) {
    const base = 0.5 + layer * 0.1;
    const wave = (x: number) => base - 0.075 * jagged(x * (2.2 - layer * 0.15) + layer * 3.7) * (1.3 - layer * 0.12);
    const near = tone(hue + 5, 0.05 + layer * 0.008, (0.7 - layer * 0.115) * l);
    ridge(g, [width, height], wave, [near, tone(hue, 0.045, (0.74 - layer * 0.1) * l)]);
  }
}

/** A mountain line in 0..1: triangles of three sizes. */
function jagged(x: number): number {
  const triangle = (t: number) => 1 - 2 * Math.abs(t - Math.floor(t) - 0.5);
  return triangle(x) * 1.1 + triangle(x * 2.3 + 0.3) * 0.45 + triangle(x * 6.1 + 0.7) * 0.14;
}

/** Sand in low light. */
function dunes(g: SKRSContext2D, { hue, dark, version }: Look, width: number, height: number): void {
  const l = dark ? 0.5 : 1;
  const warm = version === 9 ? 25 : version === 10 ? 40 : 60;
  sky(g, [tone(hue, 0.1, 0.5 * l), tone(hue + 25, 0.09, 0.68 * l), tone(warm, 0.1, 0.84 * l)], width, height);
  glow(g, [width * 0.3, height * 0.44, Math.max(width, height) * 0.26], tone(warm + 20, 0.1, 0.95), dark ? 0.3 : 0.8);
  for (let layer = 0; layer < 5; layer++) {
    const phase = layer * 1.9 + version;
    const wave = (x: number) =>
      0.52 + layer * 0.105 + 0.05 * Math.sin(x * 3.1 + phase) + 0.022 * Math.sin(x * 6.3 - phase * 1.4);
    const lit = tone(warm - layer * 4, 0.09 + layer * 0.006, (0.76 - layer * 0.095) * l);
    ridge(g, [width, height], wave, [lit, tone(hue + 40, 0.09, (0.5 - layer * 0.07) * l)]);
  }
}

/** Rolling hills under a large sun. */
function valley(g: SKRSContext2D, { hue, dark, version }: Look, width: number, height: number): void {
  const night = dark;
  const top = night ? tone(hue, 0.07, 0.2) : tone(hue, 0.075, 0.8);
  const low = night ? tone(hue + 20, 0.08, 0.36) : tone(hue + 60, 0.06, 0.93);
  sky(g, [top, low], width, height);
  const size = Math.max(width, height);
  if (night) stars(g, width, height);
  const sun = {
    x: width * (version === 14 ? 0.68 : version === 15 ? 0.34 : 0.6),
    y: height * 0.43,
    radius: Math.min(width, height) * 0.18,
  };
  glow(g, [sun.x, sun.y, size * 0.36], night ? tone(hue + 20, 0.1, 0.62) : "#fff6e2", night ? 0.5 : 0.95);
  g.fillStyle = night ? tone(90, 0.02, 0.92) : tone(75, 0.07, 0.96);
  g.beginPath();
  g.arc(sun.x, sun.y, sun.radius, 0, Math.PI * 2);
  g.fill();
  for (let layer = 0; layer < 6; layer++) {
    const phase = layer * 2.4 + version * 1.3;
    const wave = (x: number) =>
      0.47 + layer * 0.095 + 0.045 * Math.sin(x * 2.6 + phase) + 0.018 * Math.sin(x * 5.9 + phase * 2);
    const l = night ? 0.42 - layer * 0.055 : 0.82 - layer * 0.098;
    const edge = tone(hue - 8 + layer * 5, night ? 0.06 : 0.07 + layer * 0.006, l + 0.03);
    ridge(g, [width, height], wave, [edge, tone(hue + layer * 4, night ? 0.05 : 0.075, l - 0.09)]);
  }
}

/** Big leaves behind misted glass, lit from above. */
function glasshouse(g: SKRSContext2D, { hue, dark, version }: Look, width: number, height: number): void {
  const l = dark ? 0.42 : 1;
  sky(
    g,
    [tone(hue + 30, 0.05, 0.95 * l), tone(hue - 10, 0.07, 0.86 * l), tone(hue - 40, 0.075, 0.76 * l)],
    width,
    height,
  );
  const size = Math.max(width, height);
  glow(g, [width * 0.82, height * 0.08, size * 0.5], tone(85, 0.1, 0.96), dark ? 0.28 : 0.9);
  const small = Math.min(width, height);
  // Far leaves are pale, near ones deep; each fan grows from a corner.
  const fans: { x: number; y: number; from: number; to: number; count: number; length: number; depth: number }[] = [
    { x: 0.15, y: 1.02, from: -100, to: -20, count: 6, length: 1.15, depth: 0 },
    { x: 0.98, y: 1.05, from: -160, to: -75, count: 6, length: 1.05, depth: 1 },
    { x: -0.05, y: 1.08, from: -88, to: 0, count: 5, length: 0.82, depth: 2 },
    { x: 0.85, y: 1.12, from: -175, to: -80, count: 5, length: 0.72, depth: 3 },
  ];
  for (const fan of fans) {
    for (let i = 0; i < fan.count; i++) {
      const angle = fan.from + ((fan.to - fan.from) * i) / (fan.count - 1);
      const length = small * fan.length * (0.8 + 0.25 * Math.sin(i * 2.1 + fan.depth));
      const light = (0.8 - fan.depth * 0.11 - (i % 2) * 0.03) * l;
      const leafHue = version === 16 ? hue - 10 + i * 5 - fan.depth * 4 : hue - 25 + i * 9;
      leaf(g, { x: fan.x * width, y: fan.y * height, angle, length }, tone(leafHue, 0.09 + fan.depth * 0.012, light));
    }
  }
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
  // Its shadow is a few outlines, each a little wider and fainter: a blur takes many times as long.
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

function stars(g: SKRSContext2D, width: number, height: number): void {
  // A fixed scatter: the golden ratio spreads points evenly without a random number.
  for (let i = 0; i < 90; i++) {
    g.fillStyle = `rgba(255,255,255,${0.25 + 0.5 * ((i * 0.37) % 1)})`;
    const size = Math.max(1, width * 0.0022 * (1 + (i % 3) * 0.5));
    g.fillRect(((i * 0.6180339) % 1) * width, ((i * 0.7548776) % 1) * height * 0.5, size, size);
  }
}
