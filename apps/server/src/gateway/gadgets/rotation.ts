import type { OpenGadget } from "./gadget.ts";

/** A quarter turn. Only what is held in a hand turns: Android does not rotate a TV, a car or a watch. */
export const openRotation: OpenGadget = ({ kind, display }) =>
  kind === "handheld" && !display.isFixed
    ? { capabilities: ["accelerometer"], channels: ["rotate"], handle: () => display.sendControl({ type: "rotate" }) }
    : undefined;
