import { alpha } from "../draw/color.ts";
import { around, inside, midX, midY, rect, type Insets, type Rect } from "../draw/rect.ts";
import type { InstalledApp } from "@terrarium/simulator/screen";
import { drawAppCell, drawAppIcon } from "../apps/app-icon.ts";
import { timeText } from "../system/time-text.ts";
import type { Ui } from "../ui/ui.ts";
import { inkOn } from "../look/wallpaper.ts";
import type { LauncherActions } from "./launcher.ts";
import { drawSimulated, SIMULATED_WIDTH } from "./simulated.ts";

/** What is in the dock of a new device, from the left. */
const FAVOURITES = ["calculator", "notes", "settings"].map((name) => `com.terrarium.${name}`);
const GRID_PAD = 12;

/** The apps of the dock. */
export const dockApps = (apps: InstalledApp[]): InstalledApp[] =>
  FAVOURITES.flatMap((name) => apps.find(({ packageName }) => packageName === name) ?? []);

/** Phones, tablets and foldables: the day, apps, a dock and a search field on the wallpaper. */
export function drawPhoneHome(ui: Ui, screen: Rect, insets: Insets, launcher: LauncherActions): void {
  const body = inside(screen, insets);
  const wide = screen.w > screen.h;
  const size = Math.min(60, Math.max(44, Math.min(screen.w, screen.h) / 7.2));
  ui.area("home", screen, { drag: launcher.pullDrawer, blocks: true });
  const dock = drawDock(ui, body, size, launcher);
  const short = body.h < 420;
  // Up to Android 8 the search field is at the top.
  const under = ui.look.era === "paper" && !short ? 62 : 0;
  drawAtAGlance(ui, launcher, body.x + 28, body.y + under + 36);
  if (wide && short) {
    const grid = rect(dock.x, body.y + 12, dock.w, dock.y - body.y - 12);
    drawGrid(ui, grid, { size, launcher, color: inkOn(ui.look) });
    return;
  }
  const top = body.y + under + 96;
  drawGrid(ui, rect(body.x + GRID_PAD, top, body.w - GRID_PAD * 2, dock.y - 16 - top), {
    size,
    launcher,
    color: "#ffffff",
  });
}

const columnsOf = (width: number): number => (width > 840 ? 7 : width > 560 ? 6 : width > 300 ? 5 : 4);

/** One line with the day. */
function drawAtAGlance(ui: Ui, launcher: LauncherActions, x: number, y: number): void {
  ui.pen.text(timeText(launcher.host, "day"), x, y, { size: 24, color: inkOn(ui.look) });
  drawSimulated(ui, x + SIMULATED_WIDTH / 2, y + 42);
}

/** The apps that are not in the dock, from the bottom of `r` up, on as many pages as they need. */
function drawGrid(ui: Ui, r: Rect, look: { size: number; launcher: LauncherActions; color: string }): void {
  const all = look.launcher.host.apps();
  const dock = dockApps(all);
  const apps = all.filter((app) => !dock.includes(app));
  const columns = columnsOf(r.w);
  const cell = { w: r.w / columns, h: look.size + 44 };
  const rows = Math.min(Math.ceil(apps.length / columns), Math.max(1, Math.floor(r.h / cell.h)));
  const onPage = columns * rows;
  const pages = Math.ceil(apps.length / Math.max(1, onPage));
  const grid = rect(r.x, r.y + r.h - rows * cell.h, r.w, rows * cell.h);
  if (pages === 0) return;
  ui.scroller("home/pages").page = r.w;
  ui.scroll(
    "home/pages",
    grid,
    (start) => {
      apps.forEach((app, i) => {
        const [page, slot] = [Math.floor(i / onPage), i % onPage];
        const x = start + page * r.w + (slot % columns) * cell.w;
        const place = rect(x, grid.y + Math.floor(slot / columns) * cell.h, cell.w, cell.h);
        // The upper part of the wallpaper may be light.
        const color = place.y < ui.screen.h * 0.55 ? inkOn(ui.look) : look.color;
        if (ui.sees(place)) appCell(ui, app, place, { ...look, color, themed: true });
      });
      return pages * r.w;
    },
    "x",
  );
  const shown = Math.round(ui.scroller("home/pages").at(ui.now) / r.w);
  for (let i = 0; i < pages && pages > 1; i++)
    ui.pen.circle(midX(r) + (i - (pages - 1) / 2) * 12, r.y + r.h + 4, 3, alpha("#ffffff", i === shown ? 0.95 : 0.45));
}

/** An app that opens when touched; its icon is where it opens from. */
export function appCell(
  ui: Ui,
  app: InstalledApp,
  cell: Rect,
  look: { size: number; launcher: LauncherActions; color: string; themed?: boolean },
): void {
  let icon = cell;
  ui.area(`${app.packageName}/cell`, cell, {
    tap: () => look.launcher.open(app, icon),
    ripple: { color: look.color, radius: 16 },
  });
  icon = drawAppCell(ui, app, cell, { ...look, shadow: look.color === "#ffffff" });
  look.launcher.iconAt(app.packageName, icon);
}

/** The favourite apps at the bottom, in columns of the apps above, and the search field; returns the space they take. */
function drawDock(ui: Ui, body: Rect, size: number, launcher: LauncherActions): Rect {
  const { pen, look } = ui;
  const apps = dockApps(launcher.host.apps());
  const width = Math.min(body.w - 24, 560);
  const pill = rect(midX(body) - width / 2 + 6, body.y + body.h - 58, width - 12, 48);
  const modern = look.era !== "paper";
  const short = body.h < 420;
  const bottom = short ? body.y + body.h - 8 : modern ? pill.y - 14 : body.y + body.h - 12;
  const row = rect(midX(body) - width / 2, bottom - size, width, size);
  if (!short) drawSearch(ui, modern ? pill : rect(pill.x, body.y + 8, pill.w, 46), launcher);
  // Before one swiped up for all apps, the dock had a button for them in the middle.
  const button = !modern;
  const cells = apps.length + (button ? 1 : 0);
  const middle = Math.floor(apps.length / 2);
  const columns = columnsOf(row.w);
  const step = row.w / columns;
  const xOf = (slot: number) => row.x + step * (0.5 + Math.round((slot * (columns - 1)) / Math.max(1, cells - 1)));
  apps.forEach((app, i) => {
    const slot = button && i >= middle ? i + 1 : i;
    const icon = around(xOf(slot), midY(row), size, size);
    ui.area(`${app.packageName}/dock`, around(midX(icon), midY(icon), Math.min(step, size + 16), size + 12), {
      tap: () => launcher.open(app, icon),
      label: app.label,
      ripple: { color: "#ffffff", radius: 18 },
    });
    const scale = ui.pressed(`${app.packageName}/dock`) ? 0.94 : 1;
    drawAppIcon(ui, app, around(midX(icon), midY(icon), size * scale, size * scale), true);
    launcher.iconAt(app.packageName, icon);
  });
  if (button) {
    const at = around(xOf(middle), midY(row), size, size);
    pen.raised(at, size / 2, "#fafafa", 2);
    ui.area("home/all", at, {
      tap: () => launcher.showDrawer(),
      label: "Apps",
      ripple: { color: "#000000", radius: size / 2 },
    });
    pen.icon("apps", around(midX(at), midY(at), size * 0.52, size * 0.52), "#5f6a70");
  }
  return rect(row.x, row.y, row.w, body.y + body.h - row.y);
}

function drawSearch(ui: Ui, r: Rect, launcher: LauncherActions): void {
  const { pen, look } = ui;
  const { dark, era, colors } = look;
  const radius = era === "paper" ? 2 : r.h / 2;
  const back = era === "you" ? colors.surface : dark ? "#2b2e31" : "#ffffff";
  if (era === "you") pen.round(r, radius, alpha(back, 0.92));
  else pen.raised(r, radius, back, 2);
  const ink = era === "you" ? colors.accent : dark ? "#c9ccd0" : "#5f6a70";
  ui.area("home/search", r, { tap: () => launcher.showDrawer(true), ripple: { color: ink, radius } });
  pen.icon("search", around(r.x + 28, midY(r), 21, 21), ink, 2.2);
  pen.text("Search apps", r.x + 50, midY(r), { size: 15, color: era === "you" ? colors.textSoft : ink });
}
