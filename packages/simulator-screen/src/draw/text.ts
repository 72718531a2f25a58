import { runsOf } from "./fonts.ts";
import { type Ink, ruler } from "./mark.ts";
import type { Sheet } from "./sheet.ts";

export interface TextStyle {
  /** sp: dp times the font scale. */
  size: number;
  color: string;
  weight?: number;
  align?: "left" | "center" | "right";
  /** Longest width in dp; what is longer ends in an ellipsis. */
  max?: number;
  /** Extra space between letters in dp. */
  spacing?: number;
}

/** Half of Roboto's capital height, as a part of the size: text is placed by the middle of its capitals. */
const HALF_CAPITAL = 0.356;
const MAX_INKS = 4000;
const inks = new Map<string, Ink>();

/** Draws text with its capitals centred on `y`. Returns its width. */
export function drawText(g: Sheet, text: string, at: { x: number; y: number }, style: TextStyle): number {
  const shown = style.max === undefined ? text : ellipsis(text, style, style.max);
  const width = measure(shown, style);
  let x = at.x - (style.align === "center" ? width / 2 : style.align === "right" ? width : 0);
  const y = at.y + style.size * HALF_CAPITAL;
  for (const run of runsOf(shown)) {
    const ink = inkOf(run.text, run.family, style);
    g.set({ fillStyle: style.color, ...fontOf(run.family, style) });
    g.fillText(run.text, x, y, style.size, ink);
    x += ink.width;
  }
  return width;
}

export function measure(text: string, style: TextStyle): number {
  if (text === "") return 0;
  return runsOf(text).reduce((sum, run) => sum + inkOf(run.text, run.family, style).width, 0);
}

const fontOf = (family: string, { weight = 400, size, spacing = 0 }: TextStyle) => ({
  font: `${weight} ${size}px "${family}"`,
  letterSpacing: `${spacing}px`,
});

function inkOf(text: string, family: string, style: TextStyle): Ink {
  const key = `${family}|${style.weight ?? 400}|${style.size}|${style.spacing ?? 0}|${text}`;
  const known = inks.get(key);
  if (known !== undefined) return known;
  const metrics = Object.assign(ruler, fontOf(family, style)).measureText(text);
  const { width, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down, actualBoundingBoxRight: right } = metrics;
  const ink = { width, up, down, right };
  if (inks.size >= MAX_INKS) inks.clear();
  inks.set(key, ink);
  return ink;
}

function ellipsis(text: string, style: TextStyle, max: number): string {
  if (measure(text, style) <= max) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(`${text.slice(0, middle).trimEnd()}…`, style) <= max) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low).trimEnd()}…`;
}

/** A line of wrapped text and where it lies in the whole. */
export interface Line {
  text: string;
  start: number;
  end: number;
}

/** Breaks text at newlines and, where a line is too long, at spaces or inside a long word. */
export function wrap(text: string, style: TextStyle, width: number): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const paragraph of text.split("\n")) {
    let from = start;
    const end = start + paragraph.length;
    while (from < end && measure(text.slice(from, end), style) > width) {
      const to = breakAt(text.slice(from, end), style, width);
      lines.push({ text: text.slice(from, from + to), start: from, end: from + to });
      from += to;
    }
    lines.push({ text: text.slice(from, end), start: from, end });
    start = end + 1;
  }
  return lines;
}

function breakAt(text: string, style: TextStyle, width: number): number {
  let low = 1;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(text.slice(0, middle).trimEnd(), style) <= width) low = middle;
    else high = middle - 1;
  }
  const space = text.lastIndexOf(" ", low);
  return space > 0 ? space + 1 : low;
}
