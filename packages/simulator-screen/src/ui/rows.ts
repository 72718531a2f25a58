import { tone } from "../draw/color.ts";
import type { IconName } from "../draw/icons.ts";
import { around, midY, rect, type Rect } from "../draw/rect.ts";
import type { Ui } from "./ui.ts";
import { drawSwitch, slider } from "./widgets.ts";

/** One row of a list of settings. */
export interface Row {
  id: string;
  title: string;
  detail?: string;
  icon?: IconName;
  /** Hue of the icon's disc, degrees. */
  hue?: number;
  /** Draws something in place of the icon, in a square. */
  picture?: (r: Rect) => void;
  tap?: () => void;
  on?: boolean;
  chosen?: boolean;
  slide?: { part: number; set: (part: number) => void };
  /** Heads a group instead of being a row. */
  heading?: boolean;
}

/** Draws rows from `y` down. Returns where they end. On Android 12 and later groups are cards. */
export function drawRows(ui: Ui, column: Rect, y: number, rows: Row[]): number {
  let top = y;
  rows.forEach((row, i) => {
    const height = heightOf(ui, row, column.w);
    const first = i === 0 || rows[i - 1]?.heading === true;
    const last = i === rows.length - 1 || rows[i + 1]?.heading === true;
    const r = rect(column.x, top, column.w, height);
    if (row.heading) drawHeading(ui, row, r);
    else drawRow(ui, row, r, { first, last });
    top += height + (ui.look.era === "you" && !row.heading && !last ? 2 : 0);
  });
  return top;
}

function heightOf(ui: Ui, row: Row, width: number): number {
  if (row.heading) return 44;
  const lines = row.detail
    ? ui.pen.lines(row.detail, { size: 14, color: "" }, width - leadOf(ui, row) - endOf(row)).length
    : 0;
  const text = 24 * ui.pen.fontScale + lines * 19 * ui.pen.fontScale;
  return Math.max(row.detail ? 72 : 56, text + 28) + (row.slide ? 40 : 0);
}

const pad = (ui: Ui): number => (ui.compact ? 18 : ui.look.era === "you" ? 32 : 16);
const leadOf = (ui: Ui, row: Row): number => pad(ui) + ((row.icon && !ui.compact) || row.picture ? 56 : 0);
const endOf = (row: Row): number => (row.on === undefined && row.chosen === undefined ? 32 : 84);

function drawHeading(ui: Ui, row: Row, r: Rect): void {
  const style = { size: 14, weight: 500, color: ui.look.colors.accent };
  ui.pen.text(row.title, r.x + pad(ui), r.y + r.h - 14, style);
}

function drawRow(ui: Ui, row: Row, r: Rect, place: { first: boolean; last: boolean }): void {
  const { colors, era } = ui.look;
  const margin = ui.compact ? 4 : 16;
  const card = era === "you" || ui.compact ? rect(r.x + margin, r.y, r.w - margin * 2, r.h) : r;
  const big = 22;
  const corners = [place.first ? big : 5, place.first ? big : 5, place.last ? big : 5, place.last ? big : 5];
  if (ui.sees(r)) {
    if (era === "you") ui.pen.round(card, corners, colors.surface);
    else if (era === "paper") ui.pen.fill(card, colors.surface);
  }
  ui.area(row.id, card, {
    tap: row.tap,
    checked: row.on,
    ripple: { color: colors.text, radius: era === "you" ? 18 : 0 },
  });
  if (!ui.sees(r)) return;
  if (era === "paper" && !place.last) ui.pen.fill(rect(card.x, r.y + r.h - 0.6, card.w, 0.6), colors.outline);
  const text = rect(r.x + leadOf(ui, row), r.y, r.w - leadOf(ui, row) - endOf(row), r.h - (row.slide ? 40 : 0));
  drawLead(ui, row, rect(r.x + pad(ui), text.y, 40, text.h));
  const title = { size: 16, color: colors.text, weight: era === "you" ? 500 : 400, max: text.w };
  if (row.detail) {
    const lines = ui.pen.lines(row.detail, { size: 14, color: "" }, text.w);
    const step = 19 * ui.pen.fontScale;
    const start = midY(text) - (lines.length * step) / 2;
    ui.pen.text(row.title, text.x, start, title);
    lines.forEach((line, i) =>
      ui.pen.text(line.text.trimEnd(), text.x, start + step * (i + 1) + 2, { size: 14, color: colors.textSoft }),
    );
  } else ui.pen.text(row.title, text.x, midY(text), title);
  const end = r.x + r.w - (ui.compact ? 40 : era === "you" ? 58 : 36);
  if (row.on !== undefined) drawSwitch(ui, row.id, end, midY(text), row.on);
  if (row.chosen) ui.pen.icon("check", around(end + 6, midY(text), 24, 24), colors.accent, 2.4);
  if (row.slide) {
    slider(
      ui,
      `${row.id}/slide`,
      rect(text.x, r.y + r.h - 50, r.x + r.w - text.x - (era === "you" ? 32 : 16), 32),
      row.slide,
    );
  }
}

function drawLead(ui: Ui, row: Row, r: Rect): void {
  const { colors, era, dark } = ui.look;
  const disc = around(r.x + 20, midY(r), 40, 40);
  if (row.picture) row.picture(disc);
  else if (ui.compact) return;
  else if (row.icon && row.hue !== undefined && era !== "paper") {
    const [back, ink] = dark
      ? [tone(row.hue, 0.08, 0.42), tone(row.hue, 0.06, 0.93)]
      : [tone(row.hue, 0.085, 0.87), tone(row.hue, 0.11, 0.36)];
    ui.pen.round(disc, 20, back);
    ui.pen.icon(row.icon, around(disc.x + 20, disc.y + 20, 21, 21), ink, 2);
  } else if (row.icon)
    ui.pen.icon(row.icon, around(disc.x + 16, disc.y + 20, 24, 24), era === "paper" ? colors.accent : colors.textSoft);
}
