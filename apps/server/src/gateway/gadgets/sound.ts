import type { OpenGadget } from "./gadget.ts";

/** Whether the device can be heard. There is nothing to set: it comes with the picture. */
export const openSound: OpenGadget = async ({ display }) =>
  (await display.hasSound) ? { capabilities: ["sound"], channels: [], handle: () => undefined } : undefined;
