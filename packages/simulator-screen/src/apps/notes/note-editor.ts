import { inset, rect, type Rect } from "../../draw/rect.ts";
import { Field } from "../../ui/field.ts";
import { caretAt, drawFieldText } from "../../ui/field-view.ts";
import type { Ui } from "../../ui/ui.ts";
import { appBar } from "../../ui/widgets.ts";
import type { Frame, Shell } from "../app.ts";
import type { NoteStore } from "./note-store.ts";

/** One note being written; each change is saved. */
export class NoteEditor {
  readonly field: Field;
  readonly id: number;
  readonly #shell: Shell;

  constructor(shell: Shell, store: NoteStore, id: number, text: string) {
    this.#shell = shell;
    this.id = id;
    this.field = new Field(text, { multiline: true, changed: (changed) => store.save(id, changed) });
  }

  draw(ui: Ui, frame: Frame, actions: { close: () => void; remove: () => void }): void {
    const { colors, era } = ui.look;
    const { area, insets } = frame;
    ui.area("note", area, { blocks: true });
    ui.pen.fill(area, era === "paper" ? colors.surface : colors.background);
    const narrow = { ...area, x: area.x + insets.left, w: area.w - insets.left - insets.right };
    const top = appBar(ui, narrow, insets.top, {
      id: "note",
      title: "Edit note",
      back: actions.close,
      actions: [{ icon: "trash", tap: actions.remove }],
    });
    const page = rect(narrow.x, top, narrow.w, area.y + area.h - insets.bottom - top);
    const style = { size: 17, color: colors.text };
    const editing = this.#shell.field === this.field;
    ui.scroll("note/page", page, (start) => {
      const text = inset(rect(page.x, start, page.w, page.h), 20);
      this.#touches(ui, rect(page.x, page.y, page.w, page.h), { text, style });
      const { height, caretY } = drawFieldText(ui, this.field, text, {
        style,
        hint: "Write something",
        caret: editing,
      });
      if (editing) this.#follow(ui, page, caretY);
      return height + 60;
    });
  }

  #touches(ui: Ui, page: Rect, look: { text: Rect; style: { size: number; color: string } }): void {
    ui.area("note/text", page, {
      tap: (at) => {
        this.field.place(caretAt(ui, this.field, look.text, { at, style: look.style }));
        this.field.touchedAt = ui.now;
        this.#shell.edit(this.field);
      },
      edits: { isActive: this.#shell.field === this.field },
      label: "Note",
      focusable: false,
    });
  }

  /** Scrolls the line that is written on into view, right after each stroke; a scroll by hand is left alone. */
  #follow(ui: Ui, page: Rect, caretY: number): void {
    if (ui.now - this.field.touchedAt > 100) return;
    const below = caretY + 40 - (page.y + page.h);
    if (below > 0) ui.scroller("note/page").glide(below, ui.now);
    else if (caretY < page.y) ui.scroller("note/page").glide(caretY - page.y - 8, ui.now);
  }
}
