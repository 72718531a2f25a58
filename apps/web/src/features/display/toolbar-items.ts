import BatteryMedium from "lucide-react/icons/battery-medium";
import Camera from "lucide-react/icons/camera";
import ChevronLeft from "lucide-react/icons/chevron-left";
import Circle from "lucide-react/icons/circle";
import Maximize from "lucide-react/icons/maximize";
import Power from "lucide-react/icons/power";
import RotateCwSquare from "lucide-react/icons/rotate-cw-square";
import Square from "lucide-react/icons/square";
import Volume1 from "lucide-react/icons/volume-1";
import Volume2 from "lucide-react/icons/volume-2";
import type { Glyph } from "../../components/Icon.tsx";
import type { DeviceKey } from "./device-keys.ts";

export type ToolName = "rotate" | "screenshot" | "fullScreen" | "battery" | DeviceKey;

export interface Tool {
  name: ToolName;
  glyph: Glyph;
  /** `KeyboardEvent.key` in lower case; it acts only while the toolbar has the focus. */
  shortcut: string;
  /** How the shortcut is written, when not as its own capital. */
  written?: string;
  /** A key of the device, held for as long as the button is. */
  key?: DeviceKey;
  /** The capability without which the device takes no notice. */
  capability?: string;
}

type Groups = readonly (readonly Tool[])[];

/** Top to bottom: picture, sensors, system keys. */
const columnGroups: Groups = [
  [
    { name: "rotate", glyph: RotateCwSquare, shortcut: "r", capability: "accelerometer" },
    { name: "screenshot", glyph: Camera, shortcut: "s" },
    { name: "fullScreen", glyph: Maximize, shortcut: "f" },
  ],
  [{ name: "battery", glyph: BatteryMedium, shortcut: "b", capability: "battery" }],
  [
    { name: "volumeUp", glyph: Volume2, shortcut: "+", key: "volumeUp" },
    { name: "volumeDown", glyph: Volume1, shortcut: "-", written: "−", key: "volumeDown" },
    { name: "power", glyph: Power, shortcut: "p", key: "power" },
  ],
  [
    { name: "back", glyph: ChevronLeft, shortcut: "backspace", written: "⌫", key: "back" },
    { name: "home", glyph: Circle, shortcut: "h", key: "home" },
    { name: "recents", glyph: Square, shortcut: "o", key: "recents" },
  ],
];

/** In a row that may have to scroll, first what a hand on a phone needs most. */
const rowGroups: Groups = [...columnGroups.slice(-1), ...columnGroups.slice(0, -1)];

export const toolGroups = (isRow: boolean): Groups => (isRow ? rowGroups : columnGroups);

/** Where an arrow key, Home or End leads from `index` among `count` buttons; undefined for any other key. */
export function nextIndex(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case "ArrowDown":
    case "ArrowRight":
      return (index + 1) % count;
    case "ArrowUp":
    case "ArrowLeft":
      return (index + count - 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
