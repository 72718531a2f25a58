import { around, inside, inset, midX, midY, rect, type Rect } from "../../draw/rect.ts";
import { keyText, keys } from "../../system/key-text.ts";
import type { Ui } from "../../ui/ui.ts";
import type { CreateApp } from "../app.ts";
import { press, valueOf, valueText } from "./sum.ts";

const TALL = [
  ["C", "()", "%", "÷"],
  ["7", "8", "9", "×"],
  ["4", "5", "6", "−"],
  ["1", "2", "3", "+"],
  ["0", ".", "⌫", "="],
];
const WIDE = [
  ["7", "8", "9", "÷", "C"],
  ["4", "5", "6", "×", "⌫"],
  ["1", "2", "3", "−", "()"],
  ["0", ".", "%", "+", "="],
];

/** Signs of a keyboard that mean a key of the calculator. */
const typed: Record<string, string> = { "*": "×", "/": "÷", "-": "−", x: "×" };

export const createCalculator: CreateApp = (_shell, app) => {
  let text = "";
  const push = (key: string): void => {
    if (text.length < 60 || key === "C" || key === "⌫" || key === "=") text = press(text, key);
  };
  return {
    packageName: app.packageName,
    activity: ".Calculator",
    draw(ui, frame) {
      const { colors } = ui.look;
      ui.area("calculator", frame.area, { blocks: true });
      ui.pen.fill(frame.area, colors.background);
      const body = inset(inside(frame.area, frame.insets), ui.compact ? 18 : 8);
      const wide = body.w > body.h;
      const head = rect(body.x, body.y, body.w, body.h * (wide ? 0.28 : ui.compact ? 0.2 : 0.32));
      drawSum(ui, head, text);
      drawKeys(ui, rect(body.x, head.y + head.h, body.w, body.h - head.h), wide ? WIDE : TALL, push);
    },
    key(code) {
      if (code === keys.enter || code === keys.numpadEnter) push("=");
      else if (code === keys.backspace) push("⌫");
      else {
        const sign = keyText(code, 0);
        if (!sign || !/[\d.+\-*/x%]/.test(sign)) return false;
        push(typed[sign] ?? sign);
      }
      return true;
    },
  };
};

function drawSum(ui: Ui, r: Rect, text: string): void {
  const { colors } = ui.look;
  const value = valueOf(text);
  const shown = text === "" ? "0" : text;
  const right = r.x + r.w - 20;
  const fits = Math.min(56, r.h * 0.36) / ui.pen.fontScale;
  const width = ui.pen.width(shown, { size: fits, color: "" });
  const size = Math.max(fits * 0.45, Math.min(fits, (fits * (r.w - 40)) / Math.max(1, width)));
  const style = { size, weight: 300, color: colors.text, align: "right", max: r.w - 32 } as const;
  ui.pen.text(shown, right, r.y + r.h * 0.5, style);
  const plain = value === undefined ? "" : valueText(value);
  if (plain === "" || plain === text) return;
  ui.pen.text(plain, right, r.y + r.h * 0.84, {
    size: size * 0.55,
    color: colors.textSoft,
    align: "right",
    max: r.w - 32,
  });
}

function drawKeys(ui: Ui, r: Rect, rows: string[][], push: (key: string) => void): void {
  const { colors, era } = ui.look;
  const height = r.h / rows.length;
  rows.forEach((row, i) => {
    const width = r.w / row.length;
    row.forEach((key, j) => {
      const cell = inset(rect(r.x + j * width, r.y + i * height, width, height), ui.compact ? 1.5 : 5);
      const digit = /^[\d.⌫]/.test(key);
      const equals = key === "=";
      const [back, ink] = equals
        ? [colors.accent, colors.onAccent]
        : digit
          ? [colors.surface, colors.text]
          : [colors.accentSoft, colors.onAccentSoft];
      const radius =
        era === "you" ? Math.min(cell.w, cell.h) * (ui.pressed(`key/${key}`) ? 0.28 : 0.5) : ui.look.radius.card;
      ui.pen.round(cell, radius, back);
      const label = key === "⌫" ? "Delete" : undefined;
      ui.area(`key/${key}`, cell, { tap: () => push(key), label, ripple: { color: ink, radius } });
      const size = Math.min(28, cell.h * 0.42) / ui.pen.fontScale;
      if (key === "⌫")
        ui.pen.icon(
          "backspace",
          around(midX(cell), midY(cell), Math.min(26, cell.h * 0.5), Math.min(26, cell.h * 0.5)),
          ink,
        );
      else ui.pen.text(key, midX(cell), midY(cell), { size, weight: 400, color: ink, align: "center" });
    });
  });
}
