import type { Instance } from "@terrarium/contract";
import type { TFunction } from "i18next";
import type { Me } from "../../session/user.ts";

/** Asks for what needs a question first; what needs none is a link. */
export type OnAct = (act: "stop" | "dismiss", instance: Instance) => void;

/** What the cells of a device need besides the device. */
export interface Words {
  t: TFunction;
  me: Me;
  onAct: OnAct;
}
