import { around, inside, midX, rect } from "../draw/rect.ts";
import { drawAppIcon } from "./app-icon.ts";
import type { CreateApp } from "./app.ts";

const NOTE = "This is a simulated device. The package is installed and can be inspected, but its code is not run here.";

/** What is shown in place of an APK: what it says of itself, and that it does not run. */
export const createInstalledPage: CreateApp = (shell, app) => ({
  packageName: app.packageName,
  activity: ".MainActivity",
  draw(ui, frame) {
    const { colors, radius, era } = ui.look;
    ui.area("installed", frame.area, { blocks: true });
    ui.pen.fill(frame.area, colors.background);
    const body = inside(frame.area, frame.insets);
    const current = shell.host.apps().find((other) => other.packageName === app.packageName) ?? app;
    const x = midX(body);
    const width = Math.min(body.w - 48, 420);
    ui.scroll(`${app.packageName}/page`, body, (top) => {
      let y = top + Math.max(28, body.h * 0.14);
      drawAppIcon(ui, current, around(x, y + 40, 80, 80));
      y += 116;
      ui.pen.text(current.label, x, y, { size: 24, weight: 500, color: colors.text, align: "center", max: width });
      ui.pen.text(current.packageName, x, y + 30, { size: 14, color: colors.textSoft, align: "center", max: width });
      ui.pen.text(`Version ${current.versionName}`, x, y + 52, {
        size: 14,
        color: colors.textSoft,
        align: "center",
        max: width,
      });
      y += 88;
      const style = { size: 14, color: colors.textSoft, align: "center" } as const;
      const text = rect(x - width / 2 + 20, y + 44, width - 40, 0);
      const lines = ui.pen.lines(NOTE, style, text.w).length;
      const card = rect(x - width / 2, y, width, 64 + lines * 20 * ui.pen.fontScale);
      ui.pen.round(card, Math.min(24, radius.card), era === "you" ? colors.surface : colors.surfaceHigh);
      ui.pen.icon("info", around(x, y + 24, 22, 22), colors.accent);
      ui.pen.paragraph(NOTE, text, style);
      return card.y + card.h + 24 - top;
    });
  },
});
