import type { OpenGadget } from "./gadget.ts";

/** A quarter turn. Only what is held in a hand turns: Android keeps a TV, a car and a watch as they are. */
export const openRotation: OpenGadget = ({ kind, display }) =>
  kind === "handheld" && !display.isFixed
    ? { capabilities: ["accelerometer"], channels: ["rotate"], handle: () => display.sendControl({ type: "rotate" }) }
    : undefined;
