import { alpha } from "../draw/color.ts";
import { around, midX, midY, rect, type Rect } from "../draw/rect.ts";
import { drawAppIcon } from "../apps/app-icon.ts";
import { dockApps } from "../home/phone-home.ts";
import type { LauncherActions } from "../home/launcher.ts";
import type { Ui } from "../ui/ui.ts";

const ICON = 38;

/** The row of apps at the bottom of a large screen, over whatever app is in front. */
export function drawTaskbar(ui: Ui, bar: Rect, launcher: LauncherActions): void {
  const { pen, look } = ui;
  const apps = dockApps(launcher.host.apps());
  const step = ICON + 16;
  const left = midX(bar) - ((apps.length + 1) * step) / 2;
  pen.fill(bar, look.colors.surfaceHigh);
  pen.fill(rect(bar.x, bar.y, bar.w, 0.6), alpha(look.colors.outline, 0.6));
  ui.area("taskbar", bar, { down: () => undefined, focusable: false });
  const y = midY(bar) - 7;
  const all = around(left + step / 2, y, ICON, ICON);
  ui.area("taskbar/all", all, {
    tap: () => launcher.showDrawer(),
    label: "Apps",
    ripple: { color: look.colors.text, radius: 12 },
  });
  pen.icon("apps", around(midX(all), y, 24, 24), look.colors.text);
  apps.forEach((app, i) => {
    const icon = around(left + step * (i + 1.5), y, ICON, ICON);
    ui.area(`taskbar/${app.packageName}`, around(midX(icon), y, step, bar.h), {
      tap: () => launcher.open(app, icon),
      label: app.label,
      ripple: { color: look.colors.text, radius: 14 },
    });
    drawAppIcon(ui, app, icon, true);
  });
}
