import { rect, midY, type Rect } from "../draw/rect.ts";
import type { Line, TextStyle } from "../draw/text.ts";
import type { Field } from "./field.ts";
import type { Ui } from "./ui.ts";

const BLINK_MS = 530;

/** A field of one line: its text or a hint, and the caret while it is being edited. */
export function drawFieldLine(
  ui: Ui,
  field: Field,
  r: Rect,
  look: { size: number; hint: string; caret: boolean },
): void {
  const { colors } = ui.look;
  const style = { size: look.size, color: colors.text };
  ui.clip(r, () => {
    const before = ui.pen.width(field.text.slice(0, field.caret), style);
    const shift = Math.max(0, before - r.w + 4);
    if (field.text === "") ui.pen.text(look.hint, r.x, midY(r), { ...style, color: colors.textSoft });
    else ui.pen.text(field.text, r.x - shift, midY(r), style);
    if (look.caret) drawCaret(ui, field, { x: r.x + before - shift, y: midY(r), h: look.size * 1.3 });
  });
}

function drawCaret(ui: Ui, field: Field, at: { x: number; y: number; h: number }): void {
  const turn = Math.floor((ui.now - field.touchedAt) / BLINK_MS);
  if (turn % 2 === 0) ui.pen.fill(rect(at.x, at.y - at.h / 2, 2, at.h), ui.look.colors.accent);
  ui.wake(field.touchedAt + (turn + 1) * BLINK_MS);
}

/** A field of many lines from the top of `r`. Returns its height and where the caret is. */
export function drawFieldText(
  ui: Ui,
  field: Field,
  r: Rect,
  look: { style: TextStyle; hint: string; caret: boolean },
): { height: number; caretY: number } {
  const step = look.style.size * 1.45 * ui.pen.fontScale;
  const lines = ui.pen.lines(field.text, look.style, r.w);
  if (field.text === "") ui.pen.text(look.hint, r.x, r.y + step / 2, { ...look.style, color: ui.look.colors.textSoft });
  const current = lineOf(lines, field.caret);
  lines.forEach((line, i) => {
    const y = r.y + step * (i + 0.5);
    if (!ui.sees(rect(r.x, y - step / 2, r.w, step))) return;
    ui.pen.text(line.text, r.x, y, look.style);
    if (i !== current || !look.caret) return;
    const x = r.x + ui.pen.width(line.text.slice(0, field.caret - line.start), look.style);
    drawCaret(ui, field, { x, y, h: step * 0.86 });
  });
  return { height: lines.length * step, caretY: r.y + step * current };
}

const lineOf = (lines: Line[], caret: number): number =>
  Math.max(
    0,
    lines.findLastIndex((line) => line.start <= caret),
  );

/** The place in the text nearest to a touch. */
export function caretAt(
  ui: Ui,
  field: Field,
  r: Rect,
  touch: { at: { x: number; y: number }; style: TextStyle },
): number {
  const step = touch.style.size * 1.45 * ui.pen.fontScale;
  const lines = ui.pen.lines(field.text, touch.style, r.w);
  const line = lines[Math.min(lines.length - 1, Math.max(0, Math.floor((touch.at.y - r.y) / step)))];
  if (!line) return field.text.length;
  let best = 0;
  for (let i = 1; i <= line.text.length; i++) {
    const width = ui.pen.width(line.text.slice(0, i), touch.style);
    const before = ui.pen.width(line.text.slice(0, i - 1), touch.style);
    if (touch.at.x - r.x >= (width + before) / 2) best = i;
  }
  return line.start + best;
}
