import type { FormFactor } from "@terrarium/runtime";
import type { Insets } from "../draw/rect.ts";
import type { Drag } from "../ui/hit.ts";
import type { Field } from "../ui/field.ts";
import type { Ui } from "../ui/ui.ts";
import { drawCarHome } from "./car-home.ts";
import { Drawer, pullOf } from "./drawer.ts";
import type { DrawHome, LauncherActions } from "./launcher.ts";
import { drawPhoneHome } from "./phone-home.ts";
import { drawTvHome } from "./tv-home.ts";
import { drawWatchApps, drawWatchFace } from "./watch-home.ts";

const homes: Record<FormFactor, DrawHome> = {
  PHONE: drawPhoneHome,
  TABLET: drawPhoneHome,
  FOLDABLE: drawPhoneHome,
  TV: drawTvHome,
  WATCH: drawWatchFace,
  CAR: drawCarHome,
};

/** The home screen of a form factor, and the list of all apps over it. */
export class Home {
  open = false;
  readonly drawer: Drawer;
  readonly #formFactor: FormFactor;

  constructor(formFactor: FormFactor, edit: (field: Field) => void, openFirst: (query: string) => void) {
    this.#formFactor = formFactor;
    this.drawer = new Drawer(edit, openFirst);
  }

  /** True when it covers the wallpaper with a picture of its own. */
  get opaque(): boolean {
    return this.#formFactor === "WATCH" || this.#formFactor === "CAR";
  }

  showApps(): void {
    // A TV's home shows every app already.
    if (this.#formFactor === "TV") return;
    this.drawer.reset();
    this.open = true;
  }

  /** The list of all apps goes with the finger; `show` and `close` are called when it is let go. */
  pull(ui: Ui, show: () => void, close: () => void): Drag {
    const from = this.open ? 1 : 0;
    return {
      axis: "y",
      start: () => {
        if (!this.open) this.drawer.reset();
      },
      move: (by) => ui.hold("drawer", Math.min(1, Math.max(0, from - by.y / pullOf(ui.screen)))),
      end: (speed, by) => {
        ui.free("drawer");
        const isUp = speed.y < -400 || (by.y < -40 && speed.y < 400);
        const isDown = speed.y > 400 || (by.y > 60 && speed.y > -400);
        if (isUp && !this.open) show();
        else if (isDown && this.open) close();
      },
    };
  }

  draw(
    ui: Ui,
    insets: { home: Insets; drawer: Insets },
    state: { behind: boolean; editing: boolean; launcher: LauncherActions },
  ): void {
    const { screen } = ui;
    const shown = ui.ease("drawer", this.open && !state.behind ? 1 : 0, 220);
    const { deaf } = ui;
    // Touches go to what will be there when the animation ends.
    ui.deaf = deaf || this.open;
    if (shown < 1) ui.pen.faded(1 - shown, () => homes[this.#formFactor](ui, screen, insets.home, state.launcher));
    ui.deaf = deaf || !this.open;
    if (shown <= 0) return;
    if (this.#formFactor === "WATCH") drawWatchApps(ui, screen, shown, state.launcher);
    else this.drawer.draw(ui, screen, insets.drawer, { ...state, shown });
  }
}
