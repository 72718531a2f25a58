import { around, midY, rect, type Rect } from "../../draw/rect.ts";
import { Field } from "../../ui/field.ts";
import { drawFieldLine } from "../../ui/field-view.ts";
import { drawRows, type Row } from "../../ui/rows.ts";
import type { Ui } from "../../ui/ui.ts";
import { appBar, barHeight } from "../../ui/widgets.ts";
import type { App, CreateApp, Frame, Shell } from "../app.ts";
import { appPage, appsPage } from "./app-pages.ts";
import { aboutPage, batteryPage, displayPage, networkPage, soundPage, storagePage } from "./device-pages.ts";
import { mainRows } from "./main-rows.ts";
import type { Page, PageContext, PageName } from "./page.ts";
import { languagesPage, systemPage, timePage, zonesPage } from "./system-pages.ts";

const pages: Record<PageName, Page> = {
  network: networkPage,
  display: displayPage,
  sound: soundPage,
  battery: batteryPage,
  storage: storagePage,
  apps: appsPage,
  app: appPage,
  system: systemPage,
  languages: languagesPage,
  time: timePage,
  zones: zonesPage,
  about: aboutPage,
};

/** Two panes from this width on, in dp. */
const TWO_PANES = 720;
/** What a large title takes below the bar, in dp. */
const LARGE_TITLE = 84;

export const createSettings: CreateApp = (shell, app) => new Settings(shell, app.packageName);

class Settings implements App {
  readonly activity = ".Settings";
  readonly packageName: string;
  readonly #shell: Shell;
  /** The pages gone through; empty is the first one. */
  #path: PageName[] = [];
  readonly #sought = new Field("");
  #isSearching = false;
  #detail: string | undefined;
  #panes = false;

  constructor(shell: Shell, packageName: string) {
    this.#shell = shell;
    this.packageName = packageName;
  }

  back(): boolean {
    if (this.#isSearching) {
      this.#search(false);
      return true;
    }
    return this.#path.length > (this.#panes ? 1 : 0) && this.#path.pop() !== undefined;
  }

  draw(ui: Ui, frame: Frame): void {
    const { area, insets } = frame;
    ui.area("settings", area, { blocks: true });
    ui.pen.fill(area, ui.look.colors.background);
    const inner = rect(area.x + insets.left, area.y, area.w - insets.left - insets.right, area.h);
    this.#panes = inner.w >= TWO_PANES;
    if (this.#panes) {
      const left = Math.min(400, inner.w * 0.4);
      this.#drawMain(ui, rect(inner.x, inner.y, left, inner.h), insets);
      this.#drawPage(
        ui,
        this.#path.at(-1) ?? "network",
        rect(inner.x + left, inner.y, inner.w - left, inner.h),
        insets,
      );
      return;
    }
    const page = this.#path.at(-1);
    if (page) this.#drawPage(ui, page, inner, insets);
    else this.#drawMain(ui, inner, insets);
  }

  #context(ui: Ui): PageContext {
    return {
      ui,
      shell: this.#shell,
      detail: this.#detail,
      go: (page) => this.#go(ui, page),
      showApp: (packageName) => {
        this.#detail = packageName;
        this.#go(ui, "app");
      },
    };
  }

  #search(on: boolean): void {
    this.#isSearching = on;
    this.#sought.text = "";
    this.#sought.caret = 0;
    this.#shell.edit(on ? this.#sought : undefined);
  }

  /** Everything in all pages whose title has what is sought; what is no page leads to the one it is on. */
  #found(context: PageContext): Row[] {
    const sought = this.#sought.text.trim().toLowerCase();
    const { app: _oneApp, ...searched } = pages;
    const inPages = Object.entries(searched).flatMap(([name, page]) =>
      page.rows(context).map(({ id, title, icon }): Row => ({
        id: `${name}/${id}`,
        title,
        detail: page.title,
        ...(icon && { icon }),
        tap: () => context.go(name as PageName),
      })),
    );
    const found = [...mainRows(context), ...inPages].filter(({ title }) => title.toLowerCase().includes(sought));
    return found.length > 0 ? found.slice(0, 30) : [{ id: "settings/none", title: "Nothing has this name" }];
  }

  #go(ui: Ui, page: PageName): void {
    if (this.#isSearching) this.#search(false);
    ui.scroller(`settings/${page}/list`).jump(0);
    this.#path.push(page);
  }

  #drawMain(ui: Ui, r: Rect, insets: Frame["insets"]): void {
    const context = this.#context(ui);
    const isFound = this.#isSearching && this.#sought.text.trim() !== "";
    const rows = (isFound ? this.#found(context) : mainRows(context)).map((row) => ({
      ...row,
      // With both panes in view the left one changes what the right one shows.
      tap: () => {
        if (this.#panes) this.#path = [];
        row.tap?.();
      },
      hue: row.hue,
    }));
    const isOld = ui.look.era === "paper";
    const hasField = !ui.compact && (!isOld || this.#isSearching);
    this.#drawList(ui, r, insets, {
      id: "settings/main",
      title: "Settings",
      // Up to Android 8 a sign in the bar stands for the field.
      ...(isOld && { actions: [{ icon: "search" as const, tap: () => this.#search(!this.#isSearching) }] }),
      draw: (column, y) => drawRows(ui, column, y + (hasField ? this.#drawField(ui, column, y) : 0), rows),
    });
  }

  /** The field over the first page. Returns what it takes. */
  #drawField(ui: Ui, column: Rect, y: number): number {
    const { pen, look } = ui;
    const { colors, era } = look;
    const bar = rect(column.x + 16, y + 4, column.w - 32, 52);
    const radius = era === "paper" ? 2 : 26;
    pen.round(bar, radius, era === "paper" ? colors.surface : colors.surfaceHigh);
    const isActive = this.#shell.field === this.#sought;
    ui.area("settings/search", bar, {
      tap: () => this.#search(true),
      edits: { isActive },
      label: "Search settings",
      ripple: { color: colors.text, radius },
    });
    pen.icon("search", around(bar.x + 28, midY(bar), 22, 22), colors.textSoft);
    const line = rect(bar.x + 54, bar.y, bar.w - 70, bar.h);
    drawFieldLine(ui, this.#sought, line, {
      size: 16,
      hint: "Search settings",
      caret: isActive,
    });
    return 72;
  }

  #drawPage(ui: Ui, name: PageName, r: Rect, insets: Frame["insets"]): void {
    const context = this.#context(ui);
    const page = pages[name];
    this.#drawList(ui, r, insets, {
      id: `settings/${name}`,
      title: page.title,
      back: this.#path.length > (this.#panes ? 1 : 0) ? () => void this.back() : undefined,
      draw: (column, y) => drawRows(ui, column, y + (page.header?.(context, column, y) ?? 0), page.rows(context)),
    });
  }

  #drawList(
    ui: Ui,
    r: Rect,
    insets: Frame["insets"],
    list: {
      id: string;
      title: string;
      back?: (() => void) | undefined;
      actions?: { icon: "search"; tap: () => void }[];
      draw(column: Rect, y: number): number;
    },
  ): void {
    const bar = barHeight(ui);
    const top = r.y + insets.top + bar;
    // On a round glass the list runs on to its edge.
    const bottom = ui.compact ? 0 : insets.bottom;
    const body = rect(r.x, top, r.w, r.y + r.h - bottom - top);
    const width = Math.min(body.w, 720);
    const column = rect(body.x + (body.w - width) / 2, body.y, width, body.h);
    // From Android 12 on the title is large, and small once the list is scrolled under it.
    const isTall = ui.look.era === "you" && !ui.compact && !this.#panes && body.h > 400 && !this.#isSearching;
    const large = isTall ? LARGE_TITLE : ui.look.era === "you" ? 4 : 0;
    ui.scroll(`${list.id}/list`, body, (start) => list.draw(column, start + large) + (ui.compact ? 72 : 24) - start);
    const under = isTall ? Math.max(0, large - ui.scroller(`${list.id}/list`).at(ui.now)) : 0;
    appBar(ui, r, insets.top, { ...list, large: { under, part: under / LARGE_TITLE } });
  }
}
