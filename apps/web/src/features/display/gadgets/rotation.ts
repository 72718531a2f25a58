import RotateCwSquare from "lucide-react/icons/rotate-cw-square";
import { gadget } from "./gadget.ts";

/** Turns the device by a quarter; the picture follows by itself. */
export const rotation = gadget({
  name: "rotate",
  glyph: RotateCwSquare,
  shortcut: "r",
  group: "picture",
  capability: "accelerometer",
  usualOn: ["PHONE", "TABLET"],
  act: (send) => send({ type: "ROTATE" }),
});
