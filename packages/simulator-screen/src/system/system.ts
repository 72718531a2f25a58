import type { Canvas } from "@napi-rs/canvas";
import type { App, Shell } from "../apps/app.ts";
import { blend, rect, type Rect } from "../draw/rect.ts";
import { Home } from "../home/home.ts";
import type { LauncherActions } from "../home/launcher.ts";
import { canTurn, hasNavigationBar, type ScreenHost } from "@terrarium/simulator/screen";
import type { Field } from "../ui/field.ts";
import type { Ui } from "../ui/ui.ts";
import { barsOf, barsWithHole, type Bars } from "./bars.ts";
import { drawBars, drawFrame } from "./chrome.ts";
import { hasHole } from "../fit.ts";
import { Keyboard } from "./keyboard.ts";
import { drawLock } from "./lock.ts";
import { drawRecents } from "./recents.ts";
import { Shade } from "./shade.ts";
import { Tasks } from "./tasks.ts";
import { Volume } from "./volume.ts";

/** What the system asks of the screen it is drawn on. */
export interface Glass {
  ui: Ui;
  wallpaper(): Canvas;
}

/** The system UI: which app is in front, what lies over it, and in what order it is all drawn. */
export class System implements Shell {
  readonly host: ScreenHost;
  readonly tasks: Tasks;
  readonly shade = new Shade();
  readonly volume = new Volume();
  field: Field | undefined;
  readonly #glass: Glass;
  readonly #keyboard = new Keyboard();
  readonly #home: Home;
  readonly #hasHole: boolean;
  #recentsOpen = false;
  #lift: number | undefined;

  constructor(host: ScreenHost, glass: Glass) {
    this.host = host;
    this.#glass = glass;
    this.tasks = new Tasks(this);
    const { displays, formFactor } = host.spec.hardware;
    this.#hasHole = displays[0] !== undefined && hasHole(displays[0], formFactor);
    this.#home = new Home(
      host.spec.hardware.formFactor,
      (field) => this.edit(field),
      (query) => this.#openFirst(query),
    );
  }

  edit(field: Field | undefined): void {
    if (field && field !== this.field) this.#keyboard.reset();
    if (field) field.touchedAt = this.host.clock.monotonic();
    this.field = field;
  }

  open(packageName: string, from?: Rect): boolean {
    const opened = this.tasks.open(packageName, this.host.clock.monotonic(), from);
    if (opened) this.#closeOverlays();
    return opened;
  }

  home(): void {
    this.#closeOverlays();
    this.tasks.goHome(this.host.clock.monotonic());
  }

  /** Only what lies in a pocket or on a table is locked. */
  get locked(): boolean {
    return canTurn(this.host.spec.hardware.formFactor) && this.host.state.values.locked;
  }

  /** The screen went off: whatever lay over the app in front is gone when it is on again. */
  lock(): void {
    this.#closeOverlays();
    if (this.locked) this.#glass.ui.settle("lock", 1);
  }

  unlock(): void {
    this.host.state.set({ locked: false });
  }

  back(): void {
    if (this.shade.open) this.shade.open = false;
    else if (this.field && this.#keyboardFits()) this.edit(undefined);
    else if (this.#home.open || this.#recentsOpen) this.#closeOverlays();
    else if (this.tasks.front && !this.tasks.front.back?.()) this.home();
  }

  recents(): void {
    const open = !this.#recentsOpen;
    this.#closeOverlays();
    this.#recentsOpen = open;
    if (open) this.#glass.ui.scroller("recents/cards").jump(0);
  }

  showApps(search = false): void {
    this.home();
    this.#home.showApps();
    if (search && this.#home.open && this.#keyboardFits()) this.edit(this.#home.drawer.field);
  }

  /** Text as a keyboard would commit it; on the home screen it starts a search. */
  type(text: string): void {
    if (this.locked) return;
    if (!this.field && !this.tasks.front) this.showApps(true);
    if (!this.field) return;
    this.field.touchedAt = this.host.clock.monotonic();
    this.field.insert(text);
  }

  #closeOverlays(): void {
    this.#home.open = false;
    this.#recentsOpen = false;
    this.shade.open = false;
    this.edit(undefined);
  }

  #openFirst(query: string): void {
    const match = this.host.apps().find((app) => app.label.toLowerCase().includes(query.trim().toLowerCase()));
    if (match) this.open(match.packageName);
  }

  /** TVs and watches have no on-screen keyboard. */
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
    const { rotation } = this.host.state.values;
    const plain = barsOf(screen, ui.look, hardware.formFactor, hasNavigationBar(hardware));
    const bars = this.#hasHole ? barsWithHole(plain, screen, rotation) : plain;
    const locked = ui.ease("lock", this.locked ? 1 : 0, 220);
    if (locked < 1) this.#drawOpen(bars);
    if (locked > 0) this.#drawLocked(bars, locked);
    this.shade.draw(ui, this.host, screen, () => this.open("com.terrarium.settings"));
    this.volume.draw(ui, this.host, screen);
    drawFrame(ui, hardware.formFactor, bars, this.shade.brightness);
  }

  /** What is in front of a screen that is not locked, with its bars. */
  #drawOpen(bars: Bars): void {
    const { ui } = this.#glass;
    const moving = this.tasks.moving(ui.now);
    if (moving) ui.motion = true;
    const recents = ui.ease("recents", this.#recentsOpen ? 1 : 0, 200);
    const { front } = this.tasks;
    if (!front || moving || this.#lift !== undefined || recents > 0) this.#drawHome(bars, front !== undefined);
    if (moving && !this.#recentsOpen) this.#drawMoving(moving, bars);
    else if (front && !(this.#recentsOpen && recents === 1))
      ui.pen.faded(1 - recents, () => this.#drawFront(front, bars));
    this.#drawKeyboard(bars);
    this.#drawRecents(bars, recents);
    drawBars(ui, bars, {
      system: this,
      front: this.#recentsOpen ? undefined : front,
      drawerOpen: this.#home.open && !this.#recentsOpen,
      recents: this.#recentsOpen,
      locked: false,
      launcher: this.#launcher(),
      lift: (part) => {
        if (front) this.#lift = part;
      },
    });
  }

  #drawLocked(bars: Bars, shown: number): void {
    const { ui } = this.#glass;
    ui.pen.faded(shown * 1.5, () => {
      ui.pen.backdrop(this.#glass.wallpaper());
      drawLock(ui, this.host, bars, {
        rise: 1 - shown,
        unlock: () => this.unlock(),
        notices: (y) => this.shade.drawUrgent(ui, this.host, y),
      });
    });
    const nothing = { front: undefined, drawerOpen: false, recents: false, lift: () => undefined };
    drawBars(ui, bars, { system: this, ...nothing, locked: true, launcher: this.#launcher() });
  }

  #drawHome(bars: Bars, behind: boolean): void {
    const { ui } = this.#glass;
    ui.deaf = behind;
    if (!this.#home.opaque) ui.pen.backdrop(this.#glass.wallpaper());
    // The cards of what runs lie on the bare wallpaper.
    if (this.#recentsOpen && !this.#home.opaque) {
      ui.deaf = false;
      return;
    }
    const insets = { home: bars.insets, drawer: { ...bars.insets, bottom: this.#bottomInset(bars) } };
    // Under the shade there is little but the wallpaper: writing would shine through.
    const seen = 1 - Math.min(1, this.shade.shown(ui)) * 0.8;
    ui.pen.faded(this.#home.opaque ? 1 : seen, () =>
      this.#home.draw(ui, insets, {
        behind,
        editing: this.field === this.#home.drawer.field,
        launcher: this.#launcher(),
      }),
    );
    ui.deaf = false;
  }

  #launcher(): LauncherActions {
    return {
      host: this.host,
      open: (app, from) => void this.open(app.packageName, from),
      showDrawer: (search) => this.showApps(search),
      pullDrawer: this.#home.pull(
        this.#glass.ui,
        () => this.showApps(),
        () => this.#closeOverlays(),
      ),
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
    const to = blend(moving.from.w > 0 ? moving.from : centre, screen, moving.open);
    const radius = (1 - moving.open) * 0.3 * Math.min(to.w, to.h) + 2;
    // Touches go where things will be, so that a quick finger is not lost.
    ui.deaf = this.tasks.front !== moving.app;
    ui.pen.faded(Math.min(1, moving.open * 2.2), () => {
      ui.pen.clipped(to, radius, () => ui.pen.mapped(screen, to, () => this.#drawApp(moving.app, bars)));
    });
    ui.deaf = false;
  }

  #drawFront(app: App, bars: Bars): void {
    const { ui } = this.#glass;
    const { screen } = ui;
    ui.deaf = this.#recentsOpen;
    if (this.#lift === undefined) this.#drawApp(app, bars);
    else {
      const scale = 1 - this.#lift * 0.4;
      const size = { w: screen.w * scale, h: screen.h * scale };
      const to = rect((screen.w - size.w) / 2, (screen.h - size.h) / 2 - this.#lift * 40, size.w, size.h);
      ui.pen.fill(screen, `rgba(0,0,0,${0.35 * (1 - this.#lift)})`);
      ui.pen.clipped(to, 28, () => ui.pen.mapped(screen, to, () => this.#drawApp(app, bars)));
    }
    ui.deaf = false;
  }

  #drawKeyboard(bars: Bars): void {
    const { ui } = this.#glass;
    const { field } = this;
    const up = field !== undefined && this.#keyboardFits();
    const shown = ui.ease("keyboard", up ? 1 : 0, 180);
    if (!field || !up) return;
    const { screen } = ui;
    const { left, right, bottom } = bars.insets;
    const height = this.#keyboard.heightFor(screen, bottom);
    this.#keyboard.draw(ui, rect(left, screen.h - height * shown, screen.w - left - right, height), bottom, field);
  }

  #drawRecents(bars: Bars, shown: number): void {
    const { ui } = this.#glass;
    if (shown <= 0.01) return;
    ui.deaf = !this.#recentsOpen;
    drawRecents(ui, ui.screen, shown, {
      host: this.host,
      running: this.tasks.running,
      busyBehind: this.#home.opaque,
      drawApp: (app) => this.#drawApp(app, bars),
      open: (app) => void this.open(app.packageName),
      close: (app) => this.tasks.close(app),
      closeAll: () => {
        for (const app of this.tasks.running) this.tasks.close(app);
        this.#closeOverlays();
      },
      leave: () => this.#closeOverlays(),
    });
    ui.deaf = false;
  }
}
