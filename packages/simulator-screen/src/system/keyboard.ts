import { alpha, mix } from "../draw/color.ts";
import type { IconName } from "../draw/icons.ts";
import { around, inset, midX, midY, rect, type Rect } from "../draw/rect.ts";
import type { Field } from "../ui/field.ts";
import type { Ui } from "../ui/ui.ts";
import { suggestionsFor } from "./suggestions.ts";
import { keyboardRows, type KeyAction, type KeyboardFace, type KeyCap } from "./keyboard-keys.ts";

const REPEAT_AFTER_MS = 400;
const REPEAT_MS = 55;
/** Height of the suggestions over the keys. */
const STRIP = 42;

const glyphs: Partial<Record<KeyAction, IconName>> = { shift: "shift", backspace: "backspace", enter: "enter" };
const words: Partial<Record<KeyAction, string>> = { symbols: "?123", letters: "ABC", more: "=\\<" };

/** The on-screen keyboard. It writes into the field it is given. */
export class Keyboard {
  #face: KeyboardFace = "letters";
  #shift: "off" | "once" | "locked" = "off";
  /** When a backspace that is held down deletes next. */
  #repeatAt: number | undefined;

  reset(): void {
    this.#face = "letters";
    this.#shift = "off";
    this.#repeatAt = undefined;
  }

  heightFor(screen: Rect, navigation: number): number {
    const row = screen.h > screen.w ? Math.min(56, screen.h * 0.075) : Math.min(56, screen.h * 0.125);
    return row * 4 + 14 + STRIP + navigation;
  }

  draw(ui: Ui, r: Rect, navigation: number, field: Field): void {
    const { colors, era, dark } = ui.look;
    const flat = era === "paper";
    const back = flat ? (dark ? "#263238" : "#eceff1") : colors.surfaceHigh;
    ui.pen.fill(r, back);
    ui.area("keyboard", r, { absorbs: true });
    this.#repeat(ui, field);
    this.#drawSuggestions(ui, rect(r.x, r.y, r.w, STRIP), field);
    const rows = keyboardRows[this.#face];
    const width = Math.min(r.w, 900);
    const unit = (width - 8) / 10;
    const height = (r.h - navigation - STRIP - 14) / rows.length;
    rows.forEach((row, i) => {
      const total = row.reduce((sum, key) => sum + key.width, 0);
      let x = r.x + (r.w - total * unit) / 2;
      for (const [j, key] of row.entries()) {
        const cell = rect(x, r.y + STRIP + 8 + i * height, key.width * unit, height);
        this.#drawKey(ui, `keyboard/${this.#face}/${i}/${j}`, cell, { key, field });
        x += key.width * unit;
      }
    });
  }

  #drawSuggestions(ui: Ui, r: Rect, field: Field): void {
    const { colors } = ui.look;
    const words = suggestionsFor(field.word, field.text.slice(0, field.caret - field.word.length));
    const width = Math.min(r.w, 900) / words.length;
    for (const [i, word] of words.entries()) {
      const cell = rect(midX(r) + (i - words.length / 2) * width, r.y + 4, width, r.h - 4);
      ui.area(`keyboard/word/${i}`, cell, {
        tap: () => field.complete(word),
        ripple: { color: colors.text, radius: cell.h / 2 },
        focusable: false,
      });
      const style = { size: 16 / ui.pen.fontScale, color: colors.text, align: "center", max: width - 20 } as const;
      ui.pen.text(word, midX(cell), midY(cell), style);
      if (i > 0) ui.pen.fill(rect(cell.x, cell.y + 9, 1, cell.h - 18), alpha(colors.text, 0.16));
    }
  }

  #drawKey(ui: Ui, id: string, cell: Rect, { key, field }: { key: KeyCap; field: Field }): void {
    const { colors, radius, era, dark } = ui.look;
    const flat = era === "paper";
    const cap = rect(cell.x + 2.5, cell.y + 3.5, cell.w - 5, cell.h - 7);
    const special = key.act !== undefined;
    const enter = key.act === "enter";
    const face = flat
      ? dark
        ? "#37474f"
        : "#ffffff"
      : dark
        ? mix(colors.surfaceHigh, colors.text, 0.12)
        : colors.surface;
    const back = enter
      ? colors.accent
      : special
        ? mix(face, flat ? "#90a4ae" : colors.accent, era === "you" ? 0.22 : 0.18)
        : face;
    const corner = enter && era === "you" ? cap.h / 2 : radius.key;
    const down = ui.pressed(id);
    if (flat && special && !enter) ui.pen.round(cap, corner, mix(back, dark ? "#263238" : "#eceff1", 0.6));
    else {
      ui.pen.round(rect(cap.x, cap.y + 1, cap.w, cap.h), corner, "rgba(0,0,0,0.18)");
      ui.pen.round(cap, corner, back);
    }
    ui.area(id, cell, {
      label: key.act ?? (key.write === " " ? "space" : key.write),
      down: () => this.#press(ui.now, key, field),
      follow: (at) => {
        if (!at) this.#repeatAt = undefined;
      },
      focusable: false,
    });
    if (down) ui.pen.round(cap, corner, dark ? "rgba(255,255,255,0.16)" : "rgba(0,0,0,0.12)");
    this.#label(ui, cap, key, enter ? colors.onAccent : colors.text);
    if (down && key.write && key.write !== " " && ui.screen.h > ui.screen.w)
      this.#popup(ui, cap, this.#cased(key.write));
  }

  #label(ui: Ui, cap: Rect, key: KeyCap, ink: string): void {
    const scale = ui.pen.fontScale;
    const glyph = key.act === "shift" && this.#shift !== "off" ? "shiftOn" : key.act && glyphs[key.act];
    if (glyph) {
      ui.pen.icon(glyph, around(midX(cap), midY(cap), 22, 22), ink);
      if (key.act === "shift" && this.#shift === "locked") ui.pen.fill(around(midX(cap), midY(cap) + 14, 12, 2), ink);
    } else if (key.act) {
      ui.pen.text(words[key.act] ?? "", midX(cap), midY(cap), {
        size: 14 / scale,
        weight: 500,
        color: ink,
        align: "center",
      });
    } else if (key.write && key.write !== " ") {
      const size = Math.min(22, cap.h * 0.5) / scale;
      ui.pen.text(this.#cased(key.write), midX(cap), midY(cap), { size, color: ink, align: "center" });
    }
  }

  /** The letter above the finger that hides it. */
  #popup(ui: Ui, cap: Rect, letter: string): void {
    const box = around(midX(cap), cap.y - cap.h * 0.66, cap.w + 10, cap.h * 1.1);
    const radius = Math.min(ui.look.radius.key + 4, 14);
    ui.pen.raised(inset(box, 0), radius, ui.look.dark ? "#3a4146" : "#ffffff", 3);
    ui.pen.text(letter, midX(box), midY(box), {
      size: 28 / ui.pen.fontScale,
      color: ui.look.colors.text,
      align: "center",
    });
  }

  #cased(letter: string): string {
    return this.#shift === "off" ? letter : letter.toUpperCase();
  }

  #press(now: number, key: KeyCap, field: Field): void {
    field.touchedAt = now;
    if (key.write) {
      field.insert(this.#cased(key.write));
      if (this.#shift === "once") this.#shift = "off";
    } else if (key.act === "backspace") {
      field.backspace();
      this.#repeatAt = now + REPEAT_AFTER_MS;
    } else if (key.act === "enter") field.enter();
    else if (key.act === "shift")
      this.#shift = { off: "once", once: "locked", locked: "off" }[this.#shift] as "off" | "once" | "locked";
    else if (key.act) this.#face = key.act;
  }

  #repeat(ui: Ui, field: Field): void {
    if (this.#repeatAt === undefined) return;
    while (this.#repeatAt <= ui.now) {
      field.backspace();
      this.#repeatAt += REPEAT_MS;
    }
    ui.wake(this.#repeatAt);
  }
}
