import { around, midX } from "../../draw/rect.ts";
import { drawAppIcon } from "../app-icon.ts";
import type { Page } from "./page.ts";

/** Every installed app. */
export const appsPage: Page = {
  title: "Apps",
  rows: (context) =>
    context.shell.host
      .apps()
      .toSorted((a, b) => a.label.localeCompare(b.label))
      .map((app) => ({
        id: `apps/${app.packageName}`,
        title: app.label,
        detail: app.system ? "Part of the system" : `Version ${app.versionName}`,
        picture: (r) => drawAppIcon(context.ui, app, r),
        tap: () => context.showApp(app.packageName),
      })),
};

/** What one app says of itself. */
export const appPage: Page = {
  title: "App info",
  rows: ({ shell, detail }) => {
    const app = shell.host.apps().find((other) => other.packageName === detail);
    if (!app) return [{ id: "app/gone", title: "This app was uninstalled" }];
    return [
      { id: "app/open", title: "Open", icon: "right", tap: () => void shell.open(app.packageName) },
      { id: "app/package", title: "Package", detail: app.packageName },
      { id: "app/version", title: "Version", detail: app.versionName },
      {
        id: "app/kind",
        title: "Kind",
        detail: app.system ? "Part of the system" : "Installed package; its code is not run here",
      },
    ];
  },
  header: ({ ui, shell, detail }, column, y) => {
    const app = shell.host.apps().find((other) => other.packageName === detail);
    if (!app) return 0;
    drawAppIcon(ui, app, around(midX(column), y + 44, 64, 64));
    const style = { size: 20, weight: 500, color: ui.look.colors.text, align: "center", max: column.w - 48 } as const;
    ui.pen.text(app.label, midX(column), y + 100, style);
    return 132;
  },
};
