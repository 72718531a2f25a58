import { alpha } from "../draw/color.ts";
import { around, midX, midY, rect, type Rect } from "../draw/rect.ts";
import type { ScreenHost } from "@terrarium/simulator/screen";
import type { Drag } from "../ui/hit.ts";
import type { Ui } from "../ui/ui.ts";
import { iconButton, slider } from "../ui/widgets.ts";
import { noticesOf, type Notice } from "./notices.ts";
import { drawSmallTiles, drawWideTiles, tilesOf } from "./shade-tiles.ts";
import { drawStatusIcons } from "./status-icons.ts";
import { timeText } from "./time-text.ts";
import { drawWatchShade } from "./watch-shade.ts";

const PULL_DP = 260;

/** What is pulled down from the top: toggles, brightness and notices. */
export class Shade {
  open = false;
  /** 0..1, and less than 1 darkens what is drawn; the simulated panel has no light of its own. */
  brightness = 1;
  /** While a finger pulls it, how far it is out. */
  #pulled: number | undefined;
  #dismissed = new Set<string>();

  /** The drag that pulls it out, for the status bar. */
  pull(): Drag {
    return {
      axis: "y",
      move: (by) => {
        this.#pulled = Math.min(1, Math.max(0, by.y / PULL_DP));
      },
      end: (speed, by) => {
        this.#pulled = undefined;
        this.open = speed.y > 200 || (by.y > 60 && speed.y > -200);
      },
    };
  }

  #push(): Drag {
    return {
      axis: "y",
      move: (by) => {
        this.#pulled = Math.min(1, Math.max(0, 1 + by.y / PULL_DP));
      },
      end: (speed, by) => {
        this.#pulled = undefined;
        this.open = by.y > -50 && speed.y > -300;
      },
    };
  }

  draw(ui: Ui, host: ScreenHost, screen: Rect, openSettings: () => void): void {
    if (this.#pulled !== undefined) ui.settle("shade", this.#pulled);
    const shown = this.#pulled ?? ui.ease("shade", this.open ? 1 : 0, 240);
    if (shown <= 0.001) return;
    const { pen } = ui;
    pen.fill(screen, alpha("#000000", 0.45 * shown));
    ui.area("shade/away", screen, {
      tap: () => (this.open = false),
      blocks: true,
      focusable: false,
      drag: this.#push(),
    });
    if (ui.compact) {
      const close = () => (this.open = false);
      return drawWatchShade(ui, host, screen, { top: -(1 - shown) * screen.h, openSettings, close });
    }
    const wide = screen.w > 640;
    const width = wide ? Math.min(480, screen.w) : screen.w;
    const left = screen.w - width;
    const height = this.#height(ui, host, width, screen.h);
    const sheet = rect(left, -(1 - shown) * Math.min(height, 360), width, height);
    pen.faded(Math.min(1, shown * 1.8), () => {
      this.#drawSheet(ui, host, sheet, openSettings);
    });
  }

  #height(ui: Ui, host: ScreenHost, width: number, max: number): number {
    const tiles = tilesOf(host).length;
    const rows = ui.look.era === "you" ? Math.ceil(tiles / 2) * 76 : Math.ceil(tiles / (width > 520 ? 5 : 3)) * 92;
    return Math.min(max - 8, 78 + rows + 64 + this.#shown(host).length * 76 + 40);
  }

  #shown(host: ScreenHost): Notice[] {
    return noticesOf(host).filter((notice) => !this.#dismissed.has(notice.id));
  }

  #drawSheet(ui: Ui, host: ScreenHost, sheet: Rect, openSettings: () => void): void {
    const { pen, look } = ui;
    const { colors, era } = look;
    const old = era === "paper";
    const ink = old ? { text: "#ffffff", soft: "rgba(255,255,255,0.5)" } : { text: colors.text, soft: colors.textSoft };
    const corner = era === "you" ? 28 : old ? 2 : 16;
    pen.raised(rect(sheet.x, sheet.y - 40, sheet.w, sheet.h + 40), corner, colors.shade, 8);
    ui.area("shade/sheet", sheet, { drag: this.#push(), tap: () => undefined, focusable: false });
    const pad = 16;
    const top = sheet.y + 14;
    const x = sheet.x + pad;
    const width = sheet.w - pad * 2;
    const time = { size: 22, weight: 400, color: ink.text };
    const past = pen.text(timeText(host, "time"), x + 8, top + 20, time);
    pen.text(timeText(host, "day"), x + past + 20, top + 21, { size: 14, color: ink.soft });
    const cog = around(sheet.x + sheet.w - pad - 22, top + 20, 44, 44);
    iconButton(ui, "shade/settings", cog, { icon: "gear", color: ink.text, tap: openSettings });
    const solid = old ? "#ffffff" : colors.text;
    drawStatusIcons(pen, cog.x - 4, top + 20, { ink: solid, values: host.state.values, percent: true });
    let y = top + 52;
    y +=
      era === "you"
        ? drawWideTiles(ui, rect(x, y, width, 0), tilesOf(host), 2) + 14
        : drawSmallTiles(ui, rect(x, y, width, 0), tilesOf(host), ink) + 6;
    const bar = rect(x, y, width, era === "you" ? 46 : 36);
    slider(ui, "shade/light", bar, {
      part: this.brightness,
      icon: "sun",
      set: (part) => (this.brightness = Math.max(0.08, part)),
    });
    y = bar.y + bar.h + 18;
    for (const notice of this.#shown(host)) {
      if (y + 70 > sheet.y + sheet.h) break;
      this.#drawNotice(ui, notice, rect(x, y, width, 68));
      y += era === "you" ? 72 : 70;
    }
    pen.round(around(midX(sheet), sheet.y + sheet.h - 12, 36, 4), 2, ink.soft);
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
