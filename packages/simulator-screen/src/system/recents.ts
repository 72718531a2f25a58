import type { App } from "../apps/app.ts";
import { drawAppIcon } from "../apps/app-icon.ts";
import { around, midX, rect, type Rect } from "../draw/rect.ts";
import type { ScreenHost } from "@terrarium/simulator/screen";
import type { Ui } from "../ui/ui.ts";
import { textButton } from "../ui/widgets.ts";
import { drawChips } from "./watch-chips.ts";

export interface RecentsActions {
  host: ScreenHost;
  running: App[];
  /** Whether the home screen behind is opaque and would show through the scrim. */
  busyBehind: boolean;
  /** Draws an app as large as the whole screen. */
  drawApp: (app: App) => void;
  open: (app: App) => void;
  close: (app: App) => void;
  closeAll: () => void;
  leave: () => void;
}

/** The apps that run, as cards side by side; up throws one away. */
export function drawRecents(ui: Ui, screen: Rect, shown: number, actions: RecentsActions): void {
  const { pen } = ui;
  if (ui.compact) return drawWatchRecents(ui, screen, shown, actions);
  ui.area("recents", screen, { blocks: true, tap: actions.leave, focusable: false });
  pen.faded(shown, () => pen.fill(screen, `rgba(6,12,10,${actions.busyBehind ? 0.96 : 0.55})`));
  if (actions.running.length === 0) {
    const style = { size: 18, weight: 500, color: "#ffffff", align: "center" } as const;
    pen.faded(shown, () => pen.text("No recent apps", midX(screen), screen.h / 2, style));
    return;
  }
  const part = screen.h > screen.w ? 0.62 : 0.58;
  const card = { w: screen.w * part, h: screen.h * part };
  const gap = 18;
  const list = rect(0, screen.h * 0.1, screen.w, screen.h * 0.8);
  pen.faded(shown, () => {
    ui.scroll(
      "recents/cards",
      list,
      (start) => {
        const lead = (screen.w - card.w) / 2;
        actions.running.forEach((app, i) => {
          const x = start + lead + i * (card.w + gap);
          drawCard(ui, app, rect(x, screen.h * 0.5 - card.h / 2 + 12 + (1 - shown) * 30, card.w, card.h), {
            screen,
            actions,
          });
        });
        return lead * 2 + actions.running.length * (card.w + gap) - gap;
      },
      "x",
    );
    const clear = around(midX(screen), Math.min(screen.h - 44, screen.h * 0.5 + card.h / 2 + 52), 120, 40);
    textButton(ui, "recents/clear", clear, { label: "Clear all", color: "#ffffff", tap: actions.closeAll });
  });
}

/** On a round glass there is no room for pictures of apps beside each other. */
function drawWatchRecents(ui: Ui, screen: Rect, shown: number, actions: RecentsActions): void {
  const installed = actions.host.apps();
  const chips = actions.running.flatMap((running) => {
    const app = installed.find(({ packageName }) => packageName === running.packageName);
    return app ? [{ app, tap: () => actions.open(running) }] : [];
  });
  drawChips(ui, screen, shown, {
    id: "recents",
    title: chips.length === 0 ? "No recent apps" : "Recent",
    chips,
    ...(chips.length > 0 && { end: { label: "Clear all", tap: actions.closeAll } }),
  });
}

function drawCard(ui: Ui, app: App, r: Rect, { screen, actions }: { screen: Rect; actions: RecentsActions }): void {
  const { pen, look } = ui;
  const id = `recents/${app.packageName}`;
  const pulled = Math.min(0, ui.ease(id, 0, 180));
  const card = rect(r.x, r.y + pulled, r.w, r.h);
  const radius = look.era === "you" ? 22 : look.era === "paper" ? 2 : 12;
  const installed = actions.host.apps().find((other) => other.packageName === app.packageName);
  ui.area(id, r, {
    tap: () => actions.open(app),
    label: installed?.label,
    drag: {
      axis: "y",
      move: (by) => ui.hold(id, by.y),
      end: (speed, by) => {
        ui.free(id);
        if (by.y < -r.h * 0.25 || speed.y < -800) actions.close(app);
      },
    },
  });
  if (!ui.sees(card)) return;
  if (installed) {
    drawAppIcon(ui, installed, around(card.x + 18, card.y - 22, 30, 30));
    pen.text(installed.label, card.x + 42, card.y - 22, { size: 14, weight: 500, color: "#ffffff", max: card.w - 50 });
  }
  const deaf = ui.deaf;
  ui.deaf = true;
  pen.clipped(card, radius, () => pen.mapped(screen, card, () => actions.drawApp(app)));
  ui.deaf = deaf;
  if (ui.focused(id)) pen.outline(card, radius, "#ffffff", 3);
}
