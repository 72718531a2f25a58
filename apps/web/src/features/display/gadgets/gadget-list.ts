import { battery } from "./Battery.tsx";
import { gamepad } from "./Controllers.tsx";
import { disk } from "./Disk.tsx";
import { gps } from "./Gps.tsx";
import { identifiers } from "./Identifiers.tsx";
import { network } from "./Network.tsx";
import { phone } from "./Phone.tsx";
import { rotation } from "./rotation.ts";
import { sim } from "./Sim.tsx";
import { stream } from "./Stream.tsx";
import { text } from "./Text.tsx";

/** Every gadget that has a tool, in the toolbar's order. */
export const gadgetList = [
  rotation,
  battery,
  text,
  gps,
  network,
  phone,
  sim,
  identifiers,
  disk,
  gamepad,
  stream,
] as const;

export type GadgetName = (typeof gadgetList)[number]["name"];

/** What they report, for a display session. */
export const gadgetReaders = gadgetList.flatMap(({ name, panel }) => (panel ? [{ ...panel, name }] : []));
