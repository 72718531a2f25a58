import { around, midX, rect, type Insets, type Rect } from "../draw/rect.ts";
import { drawAppIcon } from "../apps/app-icon.ts";
import { drawStatusIcons } from "../system/status-icons.ts";
import { timeText } from "../system/time-text.ts";
import { iconButton } from "../ui/widgets.ts";
import type { Ui } from "../ui/ui.ts";
import type { LauncherActions } from "./launcher.ts";
import { drawMap, drawMapLabel } from "./map-tile.ts";
import { drawSimulated } from "./simulated.ts";

const GAP = 16;

/** The dashboard: a map, the time, and the apps, large enough for an arm's length. */
export function drawCarHome(ui: Ui, screen: Rect, insets: Insets, launcher: LauncherActions): void {
  const { pen, look } = ui;
  const { dark } = look;
  ui.area("car", screen, { blocks: true });
  pen.fill(screen, dark ? "#0b0f0e" : "#dfe6e2");
  const body = rect(insets.left + GAP, GAP, screen.w - insets.left - GAP * 2, screen.h - GAP * 2);
  const wide = body.w > body.h;
  const dock = rect(body.x, body.y + body.h - 108, body.w, 108);
  const top = rect(body.x, body.y, body.w, body.h - dock.h - GAP);
  const map = wide ? rect(top.x, top.y, top.w * 0.66, top.h) : rect(top.x, top.y, top.w, top.h * 0.56);
  const rest = wide
    ? rect(map.x + map.w + GAP, top.y, top.w - map.w - GAP, top.h)
    : rect(top.x, map.y + map.h + GAP, top.w, top.h - map.h - GAP);
  drawMap(pen, map, dark);
  drawMapLabel(pen, map, dark);
  drawClockTile(ui, rest, launcher);
  drawDock(ui, dock, launcher);
}

function drawClockTile(ui: Ui, r: Rect, { host }: LauncherActions): void {
  const { pen, look } = ui;
  const { colors } = look;
  pen.round(r, 24, colors.surface);
  const scale = 1 / pen.fontScale;
  const big = Math.min(112, r.h * 0.34, r.w * 0.3) * scale;
  const y = r.y + Math.max(r.h * 0.4, 96);
  pen.text(timeText(host, "time"), r.x + 32, y, { size: big, weight: 300, color: colors.text });
  pen.text(timeText(host, "longDay"), r.x + 34, y + big * 0.62 + 16, {
    size: 20 * scale,
    color: colors.textSoft,
    max: r.w - 60,
  });
  drawStatusIcons(pen, r.x + r.w - 28, r.y + 36, {
    ink: look.dark ? "#ffffff" : colors.text,
    host,
    percent: true,
  });
  drawSimulated(ui, r.x + 86, r.y + r.h - 38);
}

function drawDock(ui: Ui, r: Rect, launcher: LauncherActions): void {
  const { pen, look } = ui;
  pen.round(r, 24, look.colors.surface);
  const apps = launcher.host.apps();
  const count = Math.min(apps.length, Math.floor(r.w / 112));
  const step = r.w / Math.max(1, count);
  apps.slice(0, count).forEach((app, i) => {
    const cell = rect(r.x + step * i, r.y, step, r.h);
    const icon = around(midX(cell), cell.y + 44, 56, 56);
    ui.area(`${app.packageName}/dock`, cell, {
      tap: () => launcher.open(app, icon),
      ripple: { color: look.colors.text, radius: 24 },
    });
    drawAppIcon(ui, app, icon);
    const label = { size: 15, weight: 500, color: look.colors.text, align: "center", max: step - 12 } as const;
    pen.text(app.label, midX(cell), cell.y + 88, label);
    launcher.iconAt(app.packageName, icon);
  });
}

/** The bar at the driver's side, over home and apps alike. */
export function drawCarBar(
  ui: Ui,
  r: Rect,
  actions: {
    host: LauncherActions["host"];
    home: () => void;
    apps: () => void;
    back: () => void;
    settings: () => void;
    recents: () => void;
  },
): void {
  const { pen, look } = ui;
  pen.fill(r, look.dark ? "#000000" : "#17211d");
  ui.area("car/bar", r, { blocks: true });
  const white = "#ffffff";
  const clock = { size: 20 / pen.fontScale, weight: 500, color: white, align: "center" } as const;
  pen.text(timeText(actions.host, "time"), midX(r), r.y + 38, clock);
  const buttons = [
    { icon: "home", tap: actions.home },
    { icon: "apps", tap: actions.apps },
    { icon: "display", tap: actions.recents },
    { icon: "gear", tap: actions.settings },
  ] as const;
  const step = Math.min(92, (r.h - 190) / buttons.length);
  buttons.forEach(({ icon, tap }, i) => {
    const at = around(midX(r), r.y + 110 + step * i, 64, 64);
    pen.round(at, 20, "rgba(255,255,255,0.08)");
    iconButton(ui, `car/${icon}`, at, { icon, color: white, tap });
  });
  iconButton(ui, "car/back", around(midX(r), r.y + r.h - 56, 64, 64), {
    icon: "back",
    color: white,
    tap: actions.back,
  });
  ui.wakeEvery(60_000, actions.host.clock.now());
}
