import type { IconName } from "../draw/icons.ts";
import { around, midX, midY, rect, type Rect } from "../draw/rect.ts";
import { canTurn, type ScreenHost } from "@terrarium/simulator/screen";
import type { Ui } from "../ui/ui.ts";

export interface Tile {
  id: string;
  icon: IconName;
  label: string;
  state: string;
  on: boolean;
  toggle: () => void;
}

/** The switches of quick settings; each shows and changes one value of the device. */
export function tilesOf(host: ScreenHost): Tile[] {
  const { formFactor } = host.spec.hardware;
  const { wifi, mobileData, airplaneMode, darkTheme, autoRotate } = host.state.values;
  const word = (on: boolean) => (on ? "On" : "Off");
  const tile = (icon: IconName, label: string, on: boolean, set: Parameters<typeof host.state.set>[0]): Tile => ({
    id: `shade/${icon}`,
    icon,
    label,
    state: word(on),
    on,
    toggle: () => host.state.set(set),
  });
  const tiles = [tile("wifi", "Wi-Fi", wifi, { wifi: !wifi })];
  const radio = [
    tile("cellular", "Mobile data", mobileData && !airplaneMode, { mobileData: !mobileData }),
    tile("airplane", "Airplane mode", airplaneMode, { airplaneMode: !airplaneMode }),
  ];
  if (formFactor !== "TV") tiles.push(...radio);
  // A watch is always dark.
  if (formFactor !== "WATCH") tiles.push(tile("moon", "Dark theme", darkTheme, { darkTheme: !darkTheme }));
  if (canTurn(formFactor)) tiles.push(tile("rotate", "Auto-rotate", autoRotate, { autoRotate: !autoRotate }));
  return tiles;
}

/** The wide tiles of Android 12 and later, `columns` in a row. Returns their height. */
export function drawWideTiles(ui: Ui, r: Rect, tiles: Tile[], columns: number): number {
  const { colors } = ui.look;
  const gap = 8;
  const width = (r.w - gap * (columns - 1)) / columns;
  const height = 68;
  tiles.forEach((tile, i) => {
    const cell = rect(
      r.x + (i % columns) * (width + gap),
      r.y + Math.floor(i / columns) * (height + gap),
      width,
      height,
    );
    const on = ui.ease(`${tile.id}/on`, tile.on ? 1 : 0, 180);
    // A tile that is on is rounder: its state can be seen without the colour.
    const radius = 18 + 16 * on;
    const back = tile.on ? colors.accent : colors.surfaceHigh;
    const ink = tile.on ? colors.onAccent : colors.text;
    ui.pen.round(cell, radius, back);
    ui.area(tile.id, cell, { tap: tile.toggle, checked: tile.on, ripple: { color: ink, radius } });
    ui.pen.icon(tile.icon, around(cell.x + 34, midY(cell), 22, 22), ink);
    const text = { color: ink, max: width - 70 };
    ui.pen.text(tile.label, cell.x + 58, midY(cell) - 9, { ...text, size: 14, weight: 500 });
    ui.pen.text(tile.state, cell.x + 58, midY(cell) + 10, { ...text, size: 13 });
  });
  return Math.ceil(tiles.length / columns) * (height + gap) - gap;
}

/** The round tiles of Android 9 to 11, and the bare ones before, `columns` in a row. */
export function drawSmallTiles(
  ui: Ui,
  r: Rect,
  tiles: Tile[],
  ink: { text: string; soft: string },
  columns: number,
): void {
  const { colors, era } = ui.look;
  const round = era === "plain";
  const width = r.w / columns;
  const height = 92;
  tiles.forEach((tile, i) => {
    const cell = rect(r.x + (i % columns) * width, r.y + Math.floor(i / columns) * height, width, height);
    const x = midX(cell);
    if (round) ui.pen.circle(x, cell.y + 34, 24, tile.on ? colors.accent : colors.surfaceHigh);
    ui.area(tile.id, cell, { tap: tile.toggle, checked: tile.on, ripple: { color: ink.text, radius: 12 } });
    const color = round ? (tile.on ? colors.onAccent : colors.textSoft) : tile.on ? ink.text : ink.soft;
    ui.pen.icon(tile.icon, around(x, cell.y + 34, 24, 24), color);
    const label = { size: 12, color: tile.on ? ink.text : ink.soft, align: "center", max: width - 8 } as const;
    ui.pen.text(tile.label, x, cell.y + 72, label);
  });
}
