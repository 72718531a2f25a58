import { openBattery } from "./battery.ts";
import { openClipboard } from "./clipboard.ts";
import { openDisk } from "./disk.ts";
import { openFingerprint } from "./fingerprint.ts";
import type { OpenGadget } from "./gadget.ts";
import { openGamepad } from "./gamepad.ts";
import { openGps } from "./gps.ts";
import { openIdentifiers } from "./identifiers.ts";
import { openNetwork } from "./network.ts";
import { openPhone } from "./phone.ts";
import { openRotation } from "./rotation.ts";
import { openSound } from "./sound.ts";
import { openStream } from "./stream.ts";

/** Every gadget that a device may have. A new one is a file beside these and a row here. */
export const gadgetList: readonly OpenGadget[] = [
  openBattery,
  openClipboard,
  openDisk,
  openFingerprint,
  openGamepad,
  openGps,
  openIdentifiers,
  openNetwork,
  openPhone,
  openRotation,
  openSound,
  openStream,
];
