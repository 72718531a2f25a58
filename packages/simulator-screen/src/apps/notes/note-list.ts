import { tone } from "../../draw/color.ts";
import { around, inside, midX, midY, rect, type Rect } from "../../draw/rect.ts";
import type { Ui } from "../../ui/ui.ts";
import { appBar, barHeight, floatingButton } from "../../ui/widgets.ts";
import type { Frame } from "../app.ts";
import type { Note } from "./note-store.ts";

interface Actions {
  open: (id: number, text: string) => void;
  create: () => void;
}

const HUES = [85, 150, 230, 310, 40];

/** The notes as cards in as many columns as fit. */
export function drawNoteList(ui: Ui, frame: Frame, notes: Note[], actions: Actions): void {
  const { colors } = ui.look;
  ui.area("notes", frame.area, { blocks: true });
  ui.pen.fill(frame.area, colors.background);
  const body = inside(frame.area, frame.insets);
  const top = frame.insets.top + barHeight(ui);
  const list = rect(body.x, frame.area.y + top, body.w, body.y + body.h - frame.area.y - top);
  if (notes.length === 0) drawEmpty(ui, list);
  else {
    const columns = Math.max(1, Math.floor(list.w / 190));
    const width = (list.w - 16 * 2 - 10 * (columns - 1)) / columns;
    ui.scroll("notes/list", list, (start) => {
      const ends = Array.from({ length: columns }, () => start + 8);
      for (const note of notes) {
        const column = ends.indexOf(Math.min(...ends));
        const y = ends[column] ?? start;
        ends[column] = y + 10 + drawCard(ui, note, { x: list.x + 16 + column * (width + 10), y, w: width }, actions);
      }
      return Math.max(...ends) - start + 80;
    });
  }
  appBar(ui, { ...frame.area, x: body.x, w: body.w }, frame.insets.top, { id: "notes", title: "Notes" });
  const corner = { x: ui.compact ? midX(body) + 28 : body.x + body.w - 16, y: body.y + body.h - (ui.compact ? 0 : 16) };
  floatingButton(ui, "notes/new", corner, { icon: "plus", tap: actions.create });
}

function drawEmpty(ui: Ui, r: Rect): void {
  const { colors } = ui.look;
  if (ui.compact) {
    // Below is the button.
    ui.pen.text("No notes yet", midX(r), r.y + r.h * 0.3, { size: 16, color: colors.text, align: "center" });
    return;
  }
  ui.pen.circle(midX(r), midY(r) - 50, 44, colors.accentSoft);
  ui.pen.icon("note", around(midX(r), midY(r) - 50, 40, 40), colors.onAccentSoft, 1.6);
  ui.pen.text("No notes yet", midX(r), midY(r) + 22, { size: 18, weight: 500, color: colors.text, align: "center" });
  const style = { size: 14, color: colors.textSoft, align: "center", max: r.w - 24 } as const;
  ui.pen.text("They are kept on this device", midX(r), midY(r) + 48, style);
}

function drawCard(ui: Ui, note: Note, place: { x: number; y: number; w: number }, actions: Actions): number {
  const { pen, look } = ui;
  const [first = "", ...rest] = note.text.trim().split("\n");
  const title = { size: 16, weight: 500, color: look.colors.text, max: place.w - 32 };
  const body = { size: 14, color: look.colors.textSoft };
  const text = rest.join("\n").trim();
  const lines = text ? pen.lines(text, body, place.w - 32).slice(0, 6) : [];
  const step = 20 * pen.fontScale;
  const card = rect(place.x, place.y, place.w, 50 * pen.fontScale + lines.length * step);
  const hue = HUES[note.id % HUES.length] ?? 85;
  const radius = Math.min(18, look.radius.card);
  pen.round(card, radius, look.dark ? tone(hue, 0.035, 0.32) : tone(hue, 0.045, 0.94));
  ui.area(`notes/${note.id}`, card, {
    tap: () => actions.open(note.id, note.text),
    ripple: { color: look.colors.text, radius },
  });
  if (!ui.sees(card)) return card.h;
  pen.text(first || "Empty note", card.x + 16, card.y + 25 * pen.fontScale, title);
  lines.forEach((line, i) => pen.text(line.text.trimEnd(), card.x + 16, card.y + 48 * pen.fontScale + i * step, body));
  return card.h;
}
