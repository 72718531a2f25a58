import { alpha } from "../draw/color.ts";
import { around, inside, midX, midY, rect, type Insets, type Rect } from "../draw/rect.ts";
import { Field } from "../ui/field.ts";
import { drawFieldLine } from "../ui/field-view.ts";
import type { Ui } from "../ui/ui.ts";
import type { LauncherActions } from "./launcher.ts";
import { appCell } from "./phone-home.ts";

/** How far a finger goes, in dp, to bring all apps up. */
export const pullOf = (screen: Rect): number => screen.h * 0.6;

/** All apps, by name, with a field to find one. */
export class Drawer {
  readonly field: Field;
  readonly #edit: (field: Field) => void;

  constructor(edit: (field: Field) => void, openFirst: (query: string) => void) {
    this.#edit = edit;
    this.field = new Field("", { done: () => openFirst(this.field.text) });
  }

  reset(): void {
    this.field.text = "";
    this.field.caret = 0;
  }

  /** `shown` is 0..1 of the way up from below the screen. */
  draw(
    ui: Ui,
    screen: Rect,
    insets: Insets,
    state: { shown: number; editing: boolean; launcher: LauncherActions },
  ): void {
    const { pen, look } = ui;
    const { colors, era } = look;
    const rise = (1 - state.shown) * pullOf(screen);
    const sheet = rect(screen.x, screen.y + rise, screen.w, screen.h);
    const opaque = era === "paper" ? (look.dark ? "#2a2a2a" : "#ffffff") : colors.background;
    ui.area("drawer", screen, { blocks: true, drag: state.launcher.pullDrawer });
    pen.faded(Math.min(1, state.shown * 2.5), () => {
      const corner = era === "paper" ? 0 : Math.min(28, rise);
      pen.round(sheet, [corner, corner, 0, 0], era === "you" ? alpha(colors.background, 0.97) : opaque);
      const body = inside(sheet, insets);
      const bar = rect(body.x + 16, body.y + 10, body.w - 32, 48);
      pen.round(bar, era === "paper" ? 2 : 24, era === "you" ? colors.surfaceHigh : alpha(colors.text, 0.07));
      ui.area("drawer/search", bar, {
        tap: () => this.#edit(this.field),
        edits: { isActive: state.editing },
        label: "Search apps",
        ripple: { color: colors.text, radius: 24 },
      });
      pen.icon("search", around(bar.x + 26, midY(bar), 20, 20), colors.textSoft);
      const line = rect(bar.x + 48, bar.y, bar.w - 64, bar.h);
      drawFieldLine(ui, this.field, line, { size: 16, hint: "Search apps", caret: state.editing });
      const list = rect(body.x, bar.y + bar.h + 8, body.w, body.y + body.h - bar.y - bar.h - 8);
      this.#grid(ui, list, state.launcher);
    });
  }

  #grid(ui: Ui, r: Rect, launcher: LauncherActions): void {
    const query = this.field.text.trim().toLowerCase();
    const apps = launcher.host
      .apps()
      .filter((app) => app.label.toLowerCase().includes(query))
      .toSorted((a, b) => a.label.localeCompare(b.label));
    const columns = r.w > 840 ? 7 : r.w > 560 ? 6 : r.w > 340 ? 5 : 4;
    const size = Math.min(60, Math.max(44, r.w / columns - 26));
    const cell = { w: (r.w - 24) / columns, h: size + 48 };
    if (apps.length === 0) {
      ui.pen.text("No app has this name", midX(r), r.y + 60, {
        size: 15,
        color: ui.look.colors.textSoft,
        align: "center",
      });
    }
    ui.scroll("drawer/list", r, (top) => {
      apps.forEach((app, i) => {
        const place = rect(
          r.x + 12 + (i % columns) * cell.w,
          top + 4 + Math.floor(i / columns) * cell.h,
          cell.w,
          cell.h,
        );
        appCell(ui, app, place, { size, launcher, color: ui.look.colors.text });
      });
      return 16 + Math.ceil(apps.length / columns) * cell.h;
    });
  }
}
