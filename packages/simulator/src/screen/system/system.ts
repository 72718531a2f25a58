import type { Canvas } from "@napi-rs/canvas";
import type { App, Shell } from "../apps/app.ts";
import { blend, rect, type Rect } from "../draw/rect.ts";
import { Drawer } from "../home/drawer.ts";
import type { LauncherActions } from "../home/launcher.ts";
import { drawPhoneHome } from "../home/phone-home.ts";
import type { ScreenHost } from "../screen.ts";
import type { Field } from "../ui/field.ts";
import type { Ui } from "../ui/ui.ts";
import { barsOf, type Bars } from "./bars.ts";
import { Keyboard } from "./keyboard.ts";
import { drawNavigationBar } from "./navigation-bar.ts";
import { drawStatusBar } from "./status-bar.ts";
import { Tasks } from "./tasks.ts";
import { Volume } from "./volume.ts";

/** What the system asks of the screen it is drawn on. */
export interface Glass {
  ui: Ui;
  wallpaper(): Canvas;
}

/** The system UI: which app is in front, what lies over it, and what each key does. */
export class System implements Shell {
  readonly host: ScreenHost;
  readonly tasks: Tasks;
  readonly volume = new Volume();
  field: Field | undefined;
  readonly #glass: Glass;
  readonly #keyboard = new Keyboard();
  readonly #drawer: Drawer;
  #drawerOpen = false;
  #lift: number | undefined;

  constructor(host: ScreenHost, glass: Glass) {
    this.host = host;
    this.#glass = glass;
    this.tasks = new Tasks(this);
    this.#drawer = new Drawer(
      (field) => this.edit(field),
      (query) => this.#openFirst(query),
    );
  }

  edit(field: Field | undefined): void {
    if (field && field !== this.field) this.#keyboard.reset();
    if (field) field.touchedAt = this.host.clock.now();
    this.field = field;
  }

  open(packageName: string, from?: Rect): boolean {
    const opened = this.tasks.open(packageName, this.host.clock.now(), from);
    if (opened) this.#closeOverlays();
    return opened;
  }

  home(): void {
    this.#closeOverlays();
    this.tasks.goHome(this.host.clock.now());
  }

  back(): void {
    if (this.field && this.#keyboardFits()) this.edit(undefined);
    else if (this.#drawerOpen) this.#closeOverlays();
    else if (this.tasks.front && !this.tasks.front.back?.()) this.home();
  }

  recents(): void {
    this.home();
  }

  toggleShade(): void {
    this.home();
  }

  /** Text as a keyboard would commit it; on the home screen it starts a search. */
  type(text: string): void {
    if (!this.field && !this.tasks.front) this.showDrawer(true);
    if (!this.field) return;
    this.field.touchedAt = this.host.clock.now();
    this.field.insert(text);
  }

  showDrawer(search = false): void {
    this.#drawer.reset();
    this.#drawerOpen = true;
    if (search) this.edit(this.#drawer.field);
  }

  #closeOverlays(): void {
    this.#drawerOpen = false;
    this.edit(undefined);
  }

  #openFirst(query: string): void {
    const match = this.host.apps().find((app) => app.label.toLowerCase().includes(query.trim().toLowerCase()));
    if (match) this.open(match.packageName);
  }

  /** TVs and watches have no room or no finger for keys on the glass. */
  #keyboardFits(): boolean {
    const { formFactor } = this.host.spec.hardware;
    return formFactor !== "TV" && formFactor !== "WATCH";
  }

  draw(): void {
    const { ui } = this.#glass;
    const { screen } = ui;
    this.tasks.prune();
    if (!this.host.state.values.screenOn) {
      ui.pen.fill(screen, "#000000");
      return;
    }
    const { hardware } = this.host.spec;
    const bars = barsOf(screen, ui.look, hardware.formFactor, hardware.hwNavigationKeys);
    const moving = this.tasks.moving(ui.now);
    if (moving) ui.motion = true;
    const behind = !this.tasks.front || moving !== undefined || this.#lift !== undefined;
    if (behind) this.#drawHome(bars, this.tasks.front !== undefined);
    if (moving) this.#drawMoving(moving, bars);
    else if (this.tasks.front) this.#drawFront(this.tasks.front, bars);
    this.#drawKeyboard(bars);
    this.#drawBars(bars);
    this.volume.draw(ui, this.host, screen);
  }

  #drawHome(bars: Bars, behind: boolean): void {
    const { ui } = this.#glass;
    const { screen } = ui;
    ui.deaf = behind;
    ui.pen.image(this.#glass.wallpaper(), screen);
    const shown = ui.ease("drawer", this.#drawerOpen && !behind ? 1 : 0, 220);
    const launcher = this.#launcher();
    if (shown < 1) ui.pen.faded(1 - shown, () => drawPhoneHome(ui, screen, bars.insets, launcher));
    if (shown > 0) {
      const insets = { ...bars.insets, bottom: this.#bottomInset(bars) };
      const editing = this.field === this.#drawer.field;
      this.#drawer.draw(ui, screen, insets, { shown, editing, launcher, close: () => this.#closeOverlays() });
    }
    ui.deaf = false;
  }

  #launcher(): LauncherActions {
    return {
      host: this.host,
      open: (app, from) => void this.open(app.packageName, from),
      showDrawer: (search) => this.showDrawer(search),
      iconAt: (packageName, r) => void this.tasks.icons.set(packageName, r),
    };
  }

  #drawApp(app: App, bars: Bars): void {
    const { ui } = this.#glass;
    app.draw(ui, { area: ui.screen, insets: { ...bars.insets, bottom: this.#bottomInset(bars) } });
  }

  #bottomInset(bars: Bars): number {
    if (!this.field || !this.#keyboardFits()) return bars.insets.bottom;
    return this.#keyboard.heightFor(this.#glass.ui.screen, bars.insets.bottom);
  }

  /** An app on its way from or to its icon: the window grows out of it and fades in early on. */
  #drawMoving(moving: { app: App; open: number; from: Rect }, bars: Bars): void {
    const { ui } = this.#glass;
    const { screen } = ui;
    const centre = rect(screen.w * 0.1, screen.h * 0.1, screen.w * 0.8, screen.h * 0.8);
    const from = moving.from.w > 0 ? moving.from : centre;
    const to = blend(from, screen, moving.open);
    const radius = (1 - moving.open) * 0.3 * Math.min(to.w, to.h) + 2;
    ui.deaf = this.tasks.front !== moving.app;
    ui.pen.faded(Math.min(1, moving.open * 2.2), () => {
      ui.pen.clipped(to, radius, () => ui.pen.mapped(screen, to, () => this.#drawApp(moving.app, bars)));
    });
    ui.deaf = false;
  }

  #drawFront(app: App, bars: Bars): void {
    const { ui } = this.#glass;
    const { screen } = ui;
    if (this.#lift === undefined) {
      this.#drawApp(app, bars);
      return;
    }
    const scale = 1 - this.#lift * 0.4;
    const to = rect(
      (screen.w * (1 - scale)) / 2,
      (screen.h * (1 - scale)) / 2 - this.#lift * 40,
      screen.w * scale,
      screen.h * scale,
    );
    ui.pen.fill(screen, `rgba(0,0,0,${0.35 * (1 - this.#lift)})`);
    ui.pen.clipped(to, 28, () => ui.pen.mapped(screen, to, () => this.#drawApp(app, bars)));
  }

  #drawKeyboard(bars: Bars): void {
    const { ui } = this.#glass;
    const { field } = this;
    const up = field !== undefined && this.#keyboardFits();
    const shown = ui.ease("keyboard", up ? 1 : 0, 180);
    if (!field || !up) return;
    const { screen } = ui;
    const height = this.#keyboard.heightFor(screen, bars.insets.bottom);
    const top = screen.h - height * shown;
    this.#keyboard.draw(
      ui,
      rect(bars.insets.left, top, screen.w - bars.insets.left - bars.insets.right, height),
      bars.insets.bottom,
      field,
    );
  }

  #drawBars(bars: Bars): void {
    const { ui } = this.#glass;
    const { look } = ui;
    const { front } = this.tasks;
    const solid = look.era === "paper" || look.era === "oreo";
    const drawer = this.#drawerOpen && !front;
    const own =
      front?.statusBar?.(look) ??
      (solid ? { back: look.colors.status, ink: "#ffffff" } : { back: "", ink: look.colors.onBar });
    const onHome = drawer && !(solid && look.dark) ? { back: "", ink: look.colors.text } : { back: "", ink: "#ffffff" };
    const colors = front ? own : onHome;
    if (bars.status.h > 0) drawStatusBar(ui, this.host, bars.status, { back: colors.back, ink: colors.ink });
    const blackKeys = solid && front !== undefined;
    const keyBack = blackKeys ? "#000000" : undefined;
    const ink = blackKeys ? "#ffffff" : this.field && !solid ? look.colors.text : colors.ink;
    drawNavigationBar(
      ui,
      bars,
      { back: keyBack, ink },
      {
        back: () => this.back(),
        home: () => this.home(),
        recents: () => this.recents(),
        keyboardUp: this.field !== undefined,
        lift: (part) => {
          if (front) this.#lift = part;
        },
      },
    );
  }
}
