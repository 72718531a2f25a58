import type { FormFactor } from "@terrarium/runtime";
import type { App } from "../apps/app.ts";
import { drawCarBar } from "../home/car-home.ts";
import type { LauncherActions } from "../home/launcher.ts";
import { drawRoundGlass } from "../home/watch-home.ts";
import type { Look } from "../look/look.ts";
import { inkOn } from "../look/wallpaper.ts";
import type { Ui } from "../ui/ui.ts";
import { hasTaskbar, type Bars } from "./bars.ts";
import { drawEdges, drawSwipeBack } from "./edges.ts";
import { drawNavigationBar } from "./navigation-bar.ts";
import { drawStatusBar } from "./status-bar.ts";
import type { System } from "./system.ts";
import { drawTaskbar } from "./taskbar.ts";

interface Scene {
  system: System;
  front: App | undefined;
  drawerOpen: boolean;
  recents: boolean;
  locked: boolean;
  launcher: LauncherActions;
  lift: (part: number | undefined) => void;
}

/** The bars of the system over what is in front, in the colours that go with it. */
export function drawBars(ui: Ui, bars: Bars, scene: Scene): void {
  const { system, front } = scene;
  const { look } = ui;
  const { formFactor } = system.host.spec.hardware;
  const back = () => system.back();
  if (formFactor === "TV") return;
  if (formFactor === "WATCH") {
    drawSwipeBack(ui, back);
    return;
  }
  if (formFactor === "CAR") {
    if (bars.navigation.w === 0) return;
    drawCarBar(ui, bars.navigation, {
      host: system.host,
      home: () => system.home(),
      apps: () => system.showApps(),
      recents: () => system.recents(),
      settings: () => void system.open("com.terrarium.settings"),
      back,
    });
    return;
  }
  const colors = barColors(look, scene);
  if (bars.status.h > 0) {
    // What is pulled down has a clock and signs of its own.
    ui.pen.faded(1 - system.shade.shown(ui) * 2, () => drawStatusBar(ui, system.host, bars.status, colors));
    ui.area("status", { ...bars.status, x: 0, w: ui.screen.w }, { drag: system.shade.pull(), focusable: false });
  }
  if (front && bars.kind === "gesture" && hasTaskbar(look, formFactor) && !system.field && !scene.locked)
    drawTaskbar(ui, bars.navigation, scene.launcher);
  if (scene.locked) return;
  if (bars.kind === "gesture") drawEdges(ui, back);
  // The lower part of the wallpaper is always dark.
  const ink = front || scene.drawerOpen ? colors.ink : "#ffffff";
  const keys = keyColors(look, { front, ink, writing: system.field !== undefined });
  drawNavigationBar(ui, bars, keys, {
    back,
    home: () => system.home(),
    recents: () => system.recents(),
    keyboardUp: system.field !== undefined,
    lift: scene.lift,
  });
}

/** Up to Android 8 an app's status bar is a darker shade of its own bar; later it is see-through. */
function barColors(
  look: Look,
  { front, drawerOpen, recents, locked }: Pick<Scene, "front" | "drawerOpen" | "recents" | "locked">,
): { back: string | undefined; ink: string } {
  const solid = look.era === "paper";
  if (locked) return { back: undefined, ink: "#ffffff" };
  if (front?.statusBar) return front.statusBar(look);
  if (front) return solid ? { back: look.colors.status, ink: "#ffffff" } : { back: undefined, ink: look.colors.onBar };
  if (drawerOpen) return { back: undefined, ink: look.colors.text };
  return { back: undefined, ink: recents ? "#ffffff" : inkOn(look) };
}

function keyColors(
  look: Look,
  state: { front: App | undefined; ink: string; writing: boolean },
): { back: string | undefined; ink: string } {
  const solid = look.era === "paper";
  if (solid && state.front) return { back: "#000000", ink: "#ffffff" };
  return { back: undefined, ink: state.writing ? look.colors.text : state.ink };
}

/** What is drawn last: the dimming of the display, the camera, and the round edge of a watch. */
export function drawFrame(ui: Ui, formFactor: FormFactor, bars: Bars, brightness: number): void {
  if (brightness < 1) ui.pen.fill(ui.screen, `rgba(0,0,0,${(1 - brightness) * 0.6})`);
  if (bars.hole) ui.pen.round(bars.hole, bars.hole.w / 2, "#000000");
  if (formFactor === "WATCH") drawRoundGlass(ui, ui.screen);
}
