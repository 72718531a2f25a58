import { createPreference } from "../../../components/preferences.ts";

/** In CSS pixels: a log needs as much, and the screen is what one came for. */
export const MIN_TOOLS_WIDTH = 360;
const MAX_TOOLS_WIDTH = 720;
/** What stays for the device and its toolbar. */
const STAGE_WIDTH = 400;

/** How wide the tools beside a device are; 0 until somebody has chosen. */
export const toolsWidth = createPreference<number>({
  name: "device-tools-width",
  version: 1,
  byDefault: 0,
  accepts: (value): value is number => typeof value === "number" && value >= 0 && value <= MAX_TOOLS_WIDTH,
});

/** What is chosen, or what suits most, as far as there is room for it beside the device. */
export function toolsWidthIn(roomWidth: number, chosen: number): { width: number; max: number } {
  const max = Math.max(MIN_TOOLS_WIDTH, Math.min(MAX_TOOLS_WIDTH, roomWidth - STAGE_WIDTH));
  const wanted = chosen === 0 ? Math.min(620, roomWidth * 0.38) : chosen;
  return { width: Math.round(Math.min(max, Math.max(MIN_TOOLS_WIDTH, wanted))), max };
}
