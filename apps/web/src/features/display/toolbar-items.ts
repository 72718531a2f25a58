import type { FormFactor } from "@terrarium/contract";
import type { DeviceKey } from "@terrarium/sdk/display";
import Camera from "lucide-react/icons/camera";
import ChevronLeft from "lucide-react/icons/chevron-left";
import Circle from "lucide-react/icons/circle";
import CircleStop from "lucide-react/icons/circle-stop";
import Ellipsis from "lucide-react/icons/ellipsis";
import Headphones from "lucide-react/icons/headphones";
import HeadphoneOff from "lucide-react/icons/headphone-off";
import History from "lucide-react/icons/history";
import ImagePlus from "lucide-react/icons/image-plus";
import Maximize from "lucide-react/icons/maximize";
import Power from "lucide-react/icons/power";
import Square from "lucide-react/icons/square";
import SquareTerminal from "lucide-react/icons/square-terminal";
import Video from "lucide-react/icons/video";
import Volume1 from "lucide-react/icons/volume-1";
import Volume2 from "lucide-react/icons/volume-2";
import type { Glyph } from "../../components/Icon.tsx";
import { gadgetList, type GadgetName } from "./gadgets/gadget-list.ts";

export type ToolName =
  | "screenshot"
  | "keepScreenshot"
  | "record"
  | "stopRecording"
  | "fullScreen"
  | "sound"
  | "more"
  | "tools"
  | "replay"
  | DeviceKey
  | GadgetName;

export interface Tool {
  name: ToolName;
  glyph: Glyph;
  /** `KeyboardEvent.key` in lower case; it acts only while the toolbar has the focus. */
  shortcut: string;
  /** How the shortcut is written, when not as its own capital. */
  written?: string;
  /** A key of the device, held for as long as the button is. */
  key?: DeviceKey;
  /** Opens a panel. */
  hasPanel?: boolean;
  /** Whether it is on, for what is on or off. */
  isOn?: boolean;
  /** The device has no such thing, and people look for it. */
  isAbsent?: boolean;
}

/** What decides which tools a device has. */
export interface Equipment {
  formFactor: FormFactor;
  /** What the device says it can do; undefined until it says. */
  capabilities: Readonly<Record<string, boolean>> | undefined;
  /** Only what leaves the device as it is. */
  isViewOnly?: boolean;
  /** Whether one hears it. */
  isHeard?: boolean;
  /** Whether it is one's own: then there are tools beside it. */
  hasTools?: boolean;
  isRecording?: boolean;
}

const screenshot: Tool = { name: "screenshot", glyph: Camera, shortcut: "s" };
const fullScreen: Tool = { name: "fullScreen", glyph: Maximize, shortcut: "f" };
const keepScreenshot: Tool = { name: "keepScreenshot", glyph: ImagePlus, shortcut: "k" };
const record: Tool = { name: "record", glyph: Video, shortcut: "v" };
const stopRecording: Tool = { name: "stopRecording", glyph: CircleStop, shortcut: "v" };
const buttons: Tool[] = [
  { name: "volumeUp", glyph: Volume2, shortcut: "+", key: "volumeUp" },
  { name: "volumeDown", glyph: Volume1, shortcut: "-", written: "−", key: "volumeDown" },
  { name: "power", glyph: Power, shortcut: "p", key: "power" },
];
const navigation: Tool[] = [
  { name: "back", glyph: ChevronLeft, shortcut: "backspace", written: "⌫", key: "back" },
  { name: "home", glyph: Circle, shortcut: "h", key: "home" },
];
const more: Tool = { name: "more", glyph: Ellipsis, shortcut: ".", written: ".", hasPanel: true };
const tools: Tool = { name: "tools", glyph: SquareTerminal, shortcut: "l" };
const replay: Tool = { name: "replay", glyph: History, shortcut: "w" };
const recents: Tool = { name: "recents", glyph: Square, shortcut: "o", key: "recents" };

/** It is its own thing: the device's volume is as its keys have set it. Absent until the device has said whether it gives sound. */
const soundTools = ({ capabilities, isHeard = false }: Equipment): Tool[] => {
  const has = capabilities?.["sound"];
  if (has === undefined) return [];
  const isOn = has && isHeard;
  return [{ name: "sound", glyph: isOn ? Headphones : HeadphoneOff, shortcut: "a", isOn, isAbsent: !has }];
};

/** Devices whose Android lists recent apps. A TV, a car and a watch have no such key. */
const withRecents: readonly FormFactor[] = ["PHONE", "TABLET"];

type GadgetGroup = (typeof gadgetList)[number]["group"];

/** The tools of the device's gadgets. What a device does not have is absent, and all of them for who only watches. */
export const gadgetTools = ({ formFactor, capabilities, isViewOnly }: Equipment, wanted: GadgetGroup): Tool[] =>
  gadgetList
    .filter(({ group }) => group === wanted && isViewOnly !== true)
    .filter(({ capability, usualOn }) =>
      capability !== undefined && capabilities ? capabilities[capability] === true : usualOn.includes(formFactor),
    )
    .map(({ name, glyph, shortcut, panel }) => ({ name, glyph, shortcut, hasPanel: panel !== undefined }));

/**
 * The tools of a device, in groups from top to bottom: picture, sensors, buttons, navigation. In a row, which may take two
 * lines, first what a hand on a phone needs most. What a device does not have is absent.
 */
export function toolGroups(equipment: Equipment, isRow: boolean): Tool[][] {
  const sound = soundTools(equipment);
  if (equipment.isViewOnly) return [[screenshot, fullScreen, ...sound]];
  const hidden = gadgetTools(equipment, "more");
  const sensors = [...gadgetTools(equipment, "sensors"), ...(hidden.length > 0 ? [more] : [])];
  const { hasTools, isRecording } = equipment;
  const picture = hasTools
    ? [screenshot, keepScreenshot, isRecording ? stopRecording : record, fullScreen, ...sound, tools, replay]
    : [screenshot, fullScreen, ...sound];
  const groups = [[...gadgetTools(equipment, "picture"), ...picture], sensors, buttons].filter(
    (group) => group.length > 0,
  );
  const last = withRecents.includes(equipment.formFactor) ? [...navigation, recents] : navigation;
  return isRow ? [last, ...groups] : [...groups, last];
}

/** All that there are keys for, whatever a device has. */
export const everyTool = (): Tool[] => [
  ...gadgetList,
  screenshot,
  keepScreenshot,
  record,
  fullScreen,
  ...soundTools({ formFactor: "PHONE", capabilities: { sound: true } }),
  tools,
  replay,
  more,
  ...buttons,
  ...navigation,
  recents,
];

/** How the key of a tool is written. */
export const keyCapOf = ({ written, shortcut }: Pick<Tool, "written" | "shortcut">): string =>
  written ?? shortcut.toUpperCase();

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
