import { alpha, mix } from "../draw/color.ts";
import { around, midX, midY, rect, type Rect } from "../draw/rect.ts";
import type { ScreenHost } from "@terrarium/simulator/screen";
import type { Drag } from "../ui/hit.ts";
import type { Ui } from "../ui/ui.ts";
import { iconButton, slider } from "../ui/widgets.ts";
import { noticesOf, standing, type Notice } from "./notices.ts";
import { drawSmallTiles, drawWideTiles, type Tile, tilesOf } from "./shade-tiles.ts";
import { drawStatusIcons } from "./status-icons.ts";
import { timeText } from "./time-text.ts";
import { drawWatchShade } from "./watch-shade.ts";

const PULL_DP = 260;
/** How many switches it opens with; the second pull shows the others. */
const FIRST_TILES = 4;

/** What is pulled down from the top: first notices and some switches over the picture, then all switches and the brightness. */
export class Shade {
  /** 0 when it is shut, 1 and 2 as it was pulled. */
  level = 0;
  /** 0..1, and less than 1 darkens what is drawn; the simulated panel has no light of its own. */
  brightness = 1;
  /** While a finger pulls it, how far it is out. */
  #pulled: number | undefined;
  #dismissed = new Set<string>();

  get open(): boolean {
    return this.level > 0;
  }

  set open(open: boolean) {
    this.level = open ? 1 : 0;
  }

  /** The finger that pulls it out, on the status bar, and further or back on itself. */
  pull(): Drag {
    const from = this.level;
    return {
      axis: "y",
      move: (by) => {
        this.#pulled = Math.min(from === 0 ? 1 : 2, Math.max(0, from + by.y / PULL_DP));
      },
      end: (speed, by) => {
        const at = this.#pulled ?? from;
        this.#pulled = undefined;
        // A quarter of the way is enough, unless the finger turned round.
        const goal =
          Math.abs(speed.y) > 200 ? (speed.y > 0 ? Math.ceil(at) : Math.floor(at)) : at + Math.sign(by.y) / 4;
        this.level = Math.round(goal);
      },
    };
  }

  /** How far it is out now, 0..2. */
  shown(ui: Ui): number {
    if (this.#pulled !== undefined) ui.settle("shade", this.#pulled);
    return this.#pulled ?? ui.ease("shade", this.level, 240);
  }

  draw(ui: Ui, host: ScreenHost, screen: Rect, openSettings: () => void): void {
    const shown = this.shown(ui);
    if (shown <= 0.001) return;
    const out = Math.min(1, shown);
    const above = ui.look.era === "you" ? 0.84 : 0.5;
    ui.pen.fade(screen, alpha("#000000", above * out), alpha("#000000", 0.5 * out));
    ui.area("shade/away", screen, {
      tap: () => (this.open = false),
      blocks: true,
      focusable: false,
      drag: this.pull(),
    });
    if (ui.compact) {
      const close = () => (this.open = false);
      return drawWatchShade(ui, host, screen, { top: -(1 - out) * screen.h, openSettings, close });
    }
    const width = screen.w > 640 ? 480 : screen.w;
    const column = rect(screen.w - width, -(1 - out) * 220, width, screen.h);
    ui.pen.faded(out * 1.4, () => this.#drawSheet(ui, host, column, { more: Math.max(0, shown - 1), openSettings }));
  }

  /** `more` is 0..1 of the way from the first switches to all. */
  #drawSheet(
    ui: Ui,
    host: ScreenHost,
    r: Rect,
    { more, openSettings }: { more: number; openSettings: () => void },
  ): void {
    const { pen, look } = ui;
    const { colors, era } = look;
    const modern = era === "you";
    const pad = 16;
    const wide = rect(r.x + pad, 0, r.w - pad * 2, 0);
    const tiles = tilesOf(host);
    const [first, others] = [tiles.slice(0, FIRST_TILES), tiles.slice(FIRST_TILES)];
    const top = r.y + 14;
    const rowOf = (count: number) => (modern ? Math.ceil(count / 2) * 76 : Math.ceil(count / FIRST_TILES) * 92);
    const shut = top + 52 + rowOf(first.length);
    const full = shut + rowOf(others.length) + (modern ? 66 : 54);
    const end = shut + (full - shut) * more;
    // Android 12 and later have nothing but the dimmed picture behind the first switches.
    const solid = modern ? more : 1;
    const corner = modern ? 28 : era === "paper" ? 2 : 16;
    const sheet = rect(r.x, r.y - 40, r.w, end - r.y + 50);
    pen.faded(solid, () => pen.raised(sheet, corner, colors.shade, 8));
    ui.area("shade/sheet", rect(r.x, r.y, r.w, end - r.y), {
      drag: this.pull(),
      tap: () => undefined,
      focusable: false,
    });
    const text = era === "paper" ? "#ffffff" : modern ? mix("#ffffff", colors.text, more) : colors.text;
    const ink = { text, soft: alpha(text, era === "paper" ? 0.5 : 0.72) };
    const past = pen.text(timeText(host, "time"), wide.x + 8, top + 20, { size: 22, weight: 400, color: text });
    pen.text(timeText(host, "day"), wide.x + past + 20, top + 21, { size: 14, color: ink.soft });
    const cog = around(r.x + r.w - pad - 22, top + 20, 44, 44);
    iconButton(ui, "shade/settings", cog, { icon: "gear", color: text, tap: openSettings });
    drawStatusIcons(pen, cog.x - 4, top + 20, { ink: text, host, percent: true });
    const drawTiles = (some: Tile[], y: number) =>
      modern ? drawWideTiles(ui, { ...wide, y }, some, 2) : drawSmallTiles(ui, { ...wide, y }, some, ink, FIRST_TILES);
    drawTiles(first, top + 52);
    if (more > 0.01) {
      pen.faded(more, () => {
        drawTiles(others, shut);
        slider(ui, "shade/light", rect(wide.x, full - (modern ? 58 : 48), wide.w, modern ? 46 : 36), {
          part: this.brightness,
          icon: "sun",
          set: (part) => (this.brightness = Math.max(0.08, part)),
        });
      });
    }
    this.#drawNotices(ui, noticesOf(host), { ...wide, y: end + (modern ? 6 + 14 * more : 18), h: r.h - 60 });
    pen.round(around(midX(r), end - (modern ? 2 : 0), 36, 4), 2, alpha(text, modern ? 0.5 * more : 0.4));
  }

  /** What a locked screen shows: all but what is always so. */
  drawUrgent(ui: Ui, host: ScreenHost, r: Rect): void {
    this.#drawNotices(
      ui,
      noticesOf(host).filter(({ id }) => !standing.has(id)),
      { ...r, h: ui.screen.h - 60 },
    );
  }

  /** From the top of `r` as many as there is room for above `r.h`. */
  #drawNotices(ui: Ui, notices: Notice[], r: Rect): void {
    notices
      .filter(({ id }) => !this.#dismissed.has(id))
      .map((notice, i) => ({ notice, place: rect(r.x, r.y + i * 72, r.w, 68) }))
      .filter(({ place }) => place.y + place.h <= r.h)
      .forEach(({ notice, place }) => this.#drawNotice(ui, notice, place));
  }

  #drawNotice(ui: Ui, notice: Notice, r: Rect): void {
    const { colors, era, radius, dark } = ui.look;
    const slide = ui.ease(`notice/${notice.id}`, 0, 160);
    const corner = Math.min(radius.card, 24);
    const card = rect(r.x + slide, r.y, r.w, r.h);
    ui.pen.round(card, corner, era === "paper" ? (dark ? "#424242" : "#fafafa") : colors.surface);
    ui.area(`notice/${notice.id}`, card, {
      drag: {
        axis: "x",
        move: (by) => ui.hold(`notice/${notice.id}`, by.x),
        end: (speed, by) => {
          ui.free(`notice/${notice.id}`);
          if (Math.abs(by.x) > 90 || Math.abs(speed.x) > 700) this.#dismissed.add(notice.id);
        },
      },
    });
    ui.pen.circle(card.x + 34, midY(card), 18, colors.accentSoft);
    ui.pen.icon(notice.icon, around(card.x + 34, midY(card), 20, 20), colors.onAccentSoft);
    ui.pen.text(notice.title, card.x + 64, midY(card) - 10, {
      size: 15,
      weight: 500,
      color: colors.text,
      max: r.w - 80,
    });
    ui.pen.text(notice.text, card.x + 64, midY(card) + 11, { size: 14, color: colors.textSoft, max: r.w - 80 });
  }
}
