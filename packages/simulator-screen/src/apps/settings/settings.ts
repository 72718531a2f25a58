import { rect, type Rect } from "../../draw/rect.ts";
import { drawRows } from "../../ui/rows.ts";
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

export const createSettings: CreateApp = (shell, app) => new Settings(shell, app.packageName);

class Settings implements App {
  readonly activity = ".Settings";
  readonly packageName: string;
  readonly #shell: Shell;
  /** The pages gone through; empty is the first one. */
  #path: PageName[] = [];
  #detail: string | undefined;
  #panes = false;

  constructor(shell: Shell, packageName: string) {
    this.#shell = shell;
    this.packageName = packageName;
  }

  back(): boolean {
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

  #go(ui: Ui, page: PageName): void {
    ui.scroller(`settings/${page}/list`).jump(0);
    this.#path.push(page);
  }

  #drawMain(ui: Ui, r: Rect, insets: Frame["insets"]): void {
    const context = this.#context(ui);
    const rows = mainRows(context).map((row) => ({
      ...row,
      // With both panes in view the left one changes what the right one shows.
      tap: () => {
        if (this.#panes) this.#path = [];
        row.tap?.();
      },
      hue: row.hue,
    }));
    this.#drawList(ui, r, insets, {
      id: "settings/main",
      title: "Settings",
      draw: (column, y) => drawRows(ui, column, y, rows),
    });
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
    list: { id: string; title: string; back?: (() => void) | undefined; draw(column: Rect, y: number): number },
  ): void {
    const bar = barHeight(ui);
    const top = r.y + insets.top + bar;
    // On a round glass the list runs on to its edge.
    const bottom = ui.compact ? 0 : insets.bottom;
    const body = rect(r.x, top, r.w, r.y + r.h - bottom - top);
    const width = Math.min(body.w, 720);
    const column = rect(body.x + (body.w - width) / 2, body.y, width, body.h);
    ui.scroll(
      `${list.id}/list`,
      body,
      (start) => list.draw(column, start + (ui.look.era === "you" ? 4 : 0)) + (ui.compact ? 72 : 24) - start,
    );
    appBar(ui, r, insets.top, list);
  }
}
