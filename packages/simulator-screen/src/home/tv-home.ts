import { mix, tone } from "../draw/color.ts";
import { around, midX, midY, rect, type Insets, type Rect } from "../draw/rect.ts";
import { drawAppIcon } from "../apps/app-icon.ts";
import { faceOf } from "../apps/app-face.ts";
import type { InstalledApp } from "@terrarium/simulator/screen";
import { tilesOf } from "../system/shade-tiles.ts";
import { drawStatusIcons } from "../system/status-icons.ts";
import { timeText } from "../system/time-text.ts";
import type { Ui } from "../ui/ui.ts";
import type { LauncherActions } from "./launcher.ts";
import { drawSimulated } from "./simulated.ts";

const MARGIN = 48;
const CARD = { w: 176, h: 99 };
const GAP = 18;

/** The living room: rows of wide cards, walked through with the arrow keys. */
export function drawTvHome(ui: Ui, screen: Rect, _insets: Insets, launcher: LauncherActions): void {
  const { pen } = ui;
  const { host } = launcher;
  ui.area("tv", screen, { blocks: true });
  pen.fill(screen, "rgba(6,10,14,0.42)");
  pen.fade(rect(0, screen.h * 0.3, screen.w, screen.h * 0.7), "rgba(6,10,14,0)", "rgba(6,10,14,0.85)");
  const apps = host.apps();
  // With a remote control something is always focused.
  if (!ui.hits.length || !ui.focus?.startsWith("tv/")) {
    ui.focus = `tv/${apps[0]?.packageName ?? ""}`;
    ui.focusShown = true;
  }
  const white = { color: "#ffffff" };
  const right = screen.w - MARGIN;
  const clock = { size: 22, weight: 400, align: "right", ...white } as const;
  const width = pen.text(timeText(host, "time"), right, 48, clock);
  drawStatusIcons(pen, right - width - 18, 48, { ink: "#ffffff", host, percent: false });
  drawSimulated(ui, MARGIN + 56, 48);
  const chosen = apps.find((app) => ui.focus === `tv/${app.packageName}`);
  const heading = chosen?.label ?? tilesOf(host).find((tile) => ui.focus === `tv/${tile.id}`)?.label ?? host.spec.name;
  pen.text(heading, MARGIN, screen.h * 0.3, { size: 44, weight: 300, max: screen.w - MARGIN * 2, ...white });
  const under = chosen ? (chosen.system ? "Part of the system" : `Version ${chosen.versionName}`) : "Quick settings";
  pen.text(under, MARGIN, screen.h * 0.3 + 42, { size: 16, color: "rgba(255,255,255,0.72)" });
  const top = screen.h * 0.48;
  pen.text("Apps", MARGIN, top, { size: 15, weight: 500, color: "rgba(255,255,255,0.85)" });
  row(ui, "tv/apps", rect(0, top + 14, screen.w, CARD.h + 32), apps.length, (i, cell) => {
    const app = apps[i];
    if (app) drawAppCard(ui, app, cell, launcher);
  });
  const second = top + CARD.h + 66;
  pen.text("Quick settings", MARGIN, second, { size: 15, weight: 500, color: "rgba(255,255,255,0.85)" });
  const tiles = tilesOf(host);
  row(ui, "tv/tiles", rect(0, second + 14, screen.w, 88), tiles.length, (i, cell) => {
    const tile = tiles[i];
    if (!tile) return;
    const id = `tv/${tile.id}`;
    const r = lift(ui, id, rect(cell.x, cell.y, cell.w, 56));
    const focused = ui.focused(id);
    pen.round(r, 14, focused ? "#f4f7f5" : "rgba(255,255,255,0.14)");
    ui.area(id, r, { tap: tile.toggle });
    const ink = focused ? "#16201b" : "#ffffff";
    pen.icon(tile.icon, around(r.x + 30, midY(r), 22, 22), ink);
    pen.text(tile.label, r.x + 54, midY(r) - 9, { size: 14, weight: 500, color: ink, max: r.w - 62 });
    pen.text(tile.state, r.x + 54, midY(r) + 10, { size: 12, color: ink });
  });
}

function row(ui: Ui, id: string, r: Rect, count: number, draw: (i: number, cell: Rect) => void): void {
  ui.scroll(
    id,
    r,
    (start) => {
      for (let i = 0; i < count; i++) draw(i, rect(start + MARGIN + i * (CARD.w + GAP), r.y + 14, CARD.w, CARD.h));
      return MARGIN * 2 + count * (CARD.w + GAP) - GAP;
    },
    "x",
  );
}

/** The focused card is enlarged. */
function lift(ui: Ui, id: string, r: Rect): Rect {
  const up = ui.ease(`${id}/lift`, ui.focused(id) ? 1 : 0, 160);
  return around(midX(r), midY(r), r.w * (1 + 0.08 * up), r.h * (1 + 0.08 * up));
}

function drawAppCard(ui: Ui, app: InstalledApp, cell: Rect, launcher: LauncherActions): void {
  const { pen } = ui;
  const id = `tv/${app.packageName}`;
  const r = lift(ui, id, cell);
  const back = tone(faceOf(app.packageName).hue, 0.11, 0.42);
  if (ui.focused(id)) pen.raised(r, 14, back, 10);
  pen.clipped(r, 14, () => pen.fade(r, mix(back, "#ffffff", 0.1), mix(back, "#000000", 0.25), true));
  ui.area(id, r, { tap: () => launcher.open(app, r) });
  drawAppIcon(ui, app, around(r.x + 42, midY(r), 46, 46));
  pen.text(app.label, r.x + 76, midY(r), { size: 17, weight: 500, color: "#ffffff", max: r.w - 84 });
  if (ui.focused(id)) pen.outline(r, 14, "#ffffff", 3);
  launcher.iconAt(app.packageName, r);
}
