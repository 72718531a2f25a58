import { alpha, mix } from "../draw/color.ts";
import type { IconName } from "../draw/icons.ts";
import { around, inset, midX, midY, rect, type Rect } from "../draw/rect.ts";
import type { Ui } from "./ui.ts";

/** A round button with a glyph. */
export function iconButton(
  ui: Ui,
  id: string,
  at: Rect,
  button: { icon: IconName; color?: string; tap: () => void },
): void {
  const color = button.color ?? ui.look.colors.text;
  ui.area(id, at, { tap: button.tap, label: button.icon, ripple: { color, radius: at.w / 2 } });
  ui.pen.icon(button.icon, around(midX(at), midY(at), 24, 24), color);
}

/** A filled or plain button with a word. */
export function textButton(
  ui: Ui,
  id: string,
  r: Rect,
  button: { label: string; filled?: boolean; color?: string; tap: () => void },
): void {
  const { colors, radius, era } = ui.look;
  const corner = Math.min(radius.button, r.h / 2);
  const ink = button.filled ? colors.onAccent : (button.color ?? colors.accent);
  if (button.filled) ui.pen.round(r, corner, button.color ?? colors.accent);
  ui.area(id, r, { tap: button.tap, ripple: { color: ink, radius: corner } });
  const label = era === "paper" ? button.label.toUpperCase() : button.label;
  ui.pen.text(label, midX(r), midY(r), { size: 14, weight: 500, color: ink, align: "center", max: r.w - 8 });
}

/** The switch at the end of a row; the row is what is tapped. */
export function drawSwitch(ui: Ui, id: string, x: number, y: number, on: boolean): void {
  const { colors, era } = ui.look;
  const t = ui.ease(`${id}/switch`, on ? 1 : 0, 160);
  if (era === "you") {
    const track = around(x, y, 50, 30);
    const off = ui.look.dark ? colors.surfaceHigh : mix(colors.surfaceHigh, colors.outline, 0.3);
    ui.pen.round(track, 15, mix(off, colors.accent, t));
    if (t < 1) ui.pen.outline(inset(track, 1), 14, alpha(colors.textSoft, 0.75 * (1 - t)), 2);
    ui.pen.circle(track.x + 15 + 20 * t, y, 7 + 4 * t, mix(colors.textSoft, colors.onAccent, t));
    if (t > 0.6) ui.pen.icon("check", around(track.x + 35, y, 14, 14), alpha(colors.accent, (t - 0.6) / 0.4), 3);
    return;
  }
  const wide = era === "plain" ? 34 : 36;
  ui.pen.round(around(x, y, wide, 14), 7, mix(colors.outline, mix(colors.surface, colors.accent, 0.5), t));
  const thumb = around(x - wide / 2 + 10 + (wide - 20) * t, y, 20, 20);
  ui.pen.raised(thumb, 10, mix(ui.look.dark ? "#bdbdbd" : "#fafafa", colors.accent, t), 1.5);
}

/** A slider over 0..1 that follows a finger anywhere along it. */
export function slider(
  ui: Ui,
  id: string,
  r: Rect,
  value: { part: number; icon?: IconName; set: (part: number) => void },
): void {
  const { colors, era } = ui.look;
  const part = Math.min(1, Math.max(0, value.part));
  const thick = era === "you" ? r.h : 3;
  const track = era === "you" ? r : rect(r.x + 8, midY(r) - thick / 2, r.w - 16, thick);
  ui.area(id, r, {
    follow: (at) => {
      if (at) value.set(Math.min(1, Math.max(0, (at.x - track.x) / track.w)));
    },
  });
  if (era === "you") {
    ui.pen.round(r, r.h / 2, ui.look.dark ? colors.surfaceHigh : colors.accentSoft);
    ui.clip(r, () => ui.pen.round(rect(r.x, r.y, Math.max(r.h, r.w * part), r.h), r.h / 2, colors.accent), r.h / 2);
    if (value.icon) ui.pen.icon(value.icon, around(r.x + r.h / 2, midY(r), 20, 20), colors.onAccent);
    return;
  }
  ui.pen.round(track, 1.5, colors.outline);
  ui.pen.round(rect(track.x, track.y, track.w * part, thick), 1.5, colors.accent);
  ui.pen.circle(track.x + track.w * part, midY(r), ui.pressed(id) ? 10 : 7, colors.accent);
}

/** The bar at the top of an app. Returns where it ends. `top` is the inset of the status bar. */
export function appBar(
  ui: Ui,
  area: Rect,
  top: number,
  bar: {
    id: string;
    title: string;
    back?: (() => void) | undefined;
    actions?: { icon: IconName; tap: () => void }[];
    /** How far a large title hangs below the bar, in dp, and which part of its largest size that is. */
    large?: { under: number; part: number };
  },
): number {
  const { colors, era } = ui.look;
  if (ui.compact) return compactBar(ui, area, top, bar.title);
  const height = barHeight(ui);
  const r = rect(area.x, area.y + top, area.w, height);
  if (era === "paper") ui.pen.raised(rect(area.x, area.y, area.w, top + height), 0, colors.bar, 3);
  else ui.pen.fill(rect(area.x, area.y, area.w, top + height), colors.bar);
  let x = r.x + 20;
  if (bar.back) {
    iconButton(ui, `${bar.id}/back`, around(r.x + 28, midY(r), 44, 44), {
      icon: "back",
      color: colors.onBar,
      tap: bar.back,
    });
    x = r.x + 60;
  }
  const actions = bar.actions ?? [];
  const { under, part } = bar.large ?? { under: 0, part: 0 };
  const size = era === "you" ? 22 + 12 * Math.min(1, part) : 20;
  const weight = era === "you" || era === "plain" ? 400 : 500;
  ui.pen.text(bar.title, x + (r.x + 24 - x) * Math.min(1, part), midY(r) + Math.max(0, under - 12), {
    size,
    weight,
    color: colors.onBar,
    max: r.x + r.w - x - 16 - actions.length * 48,
  });
  actions.forEach((action, i) => {
    const at = around(r.x + r.w - 30 - (actions.length - 1 - i) * 48, midY(r), 44, 44);
    iconButton(ui, `${bar.id}/${action.icon}`, at, { ...action, color: colors.onBar });
  });
  return r.y + height;
}

export const barHeight = (ui: Ui): number => (ui.compact ? 34 : ui.look.era === "you" ? 64 : 56);

/** On a watch there is room for the title alone; going back is a swipe. */
function compactBar(ui: Ui, area: Rect, top: number, title: string): number {
  const r = rect(area.x, area.y + top, area.w, barHeight(ui));
  ui.pen.fill(rect(area.x, area.y, area.w, top + r.h), ui.look.colors.background);
  const style = { size: 14, weight: 500, color: ui.look.colors.accent, align: "center", max: area.w * 0.56 } as const;
  ui.pen.text(title, midX(r), midY(r), style);
  return r.y + r.h;
}

/** The round button that makes a new thing. */
export function floatingButton(
  ui: Ui,
  id: string,
  corner: { x: number; y: number },
  button: { icon: IconName; tap: () => void },
): void {
  const { colors, era } = ui.look;
  const r = rect(corner.x - 56, corner.y - 56, 56, 56);
  const radius = era === "you" ? 16 : 28;
  const [back, ink] = era === "you" ? [colors.accentSoft, colors.onAccentSoft] : [colors.accent, colors.onAccent];
  ui.pen.raised(r, radius, back, 4);
  ui.area(id, r, { tap: button.tap, label: button.icon, ripple: { color: ink, radius } });
  ui.pen.icon(button.icon, around(midX(r), midY(r), 24, 24), ink);
}
