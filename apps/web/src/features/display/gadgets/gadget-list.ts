import { battery } from "./Battery.tsx";
import { rotation } from "./rotation.ts";

/** Every gadget that has a tool, in the toolbar's order. */
export const gadgetList = [rotation, battery] as const;

export type GadgetName = (typeof gadgetList)[number]["name"];
