import { openBattery } from "./battery.ts";
import { openClipboard } from "./clipboard.ts";
import { openFingerprint } from "./fingerprint.ts";
import type { OpenGadget } from "./gadget.ts";
import { openNetwork } from "./network.ts";
import { openRotation } from "./rotation.ts";

/** Every gadget that a device may have. A new one is a file beside these and a row here. */
export const gadgetList: readonly OpenGadget[] = [
  openBattery,
  openClipboard,
  openFingerprint,
  openNetwork,
  openRotation,
];
