import type { FormFactor } from "@terrarium/contract";
import type { ComponentType } from "react";
import type { Glyph } from "../../../components/Icon.tsx";

/** Sends one of the player's messages to the device. */
export type Send = (message: object) => void;

export interface PanelProps<State> {
  /** The tool that opened it; the panel is closed without one. */
  anchor: HTMLElement | undefined;
  /** What the device last reported; undefined until it has. */
  state: State | undefined;
  send: Send;
  onClose: () => void;
}

/** What opens from a gadget's tool, and what it shows. */
interface GadgetPanel<State> {
  Panel: ComponentType<PanelProps<State>>;
  /** In pixels. The device makes room for it, since nothing may cover its picture. */
  size: { width: number; height: number };
  /** Where the device reports it, and how a report is read: undefined when it says nothing new. */
  channels: readonly string[];
  read: (report: unknown, before: State | undefined) => State | undefined;
  /** What was reported is of one connection: with the next it is unknown again. */
  isOfConnection?: boolean;
}

/** One thing a device has besides its screen and keys: its tool, and what that does or opens. */
export interface Gadget<State = unknown, Name extends string = string> {
  /** Its sentence is `display.toolbar.<name>`. */
  name: Name;
  glyph: Glyph;
  /** `KeyboardEvent.key` in lower case. */
  shortcut: string;
  /** Those of `more` are in a list of their own, which the last of the sensors opens. */
  group: "picture" | "sensors" | "more";
  /** The flag by which the device says that it has one; without it, every device has one. */
  capability?: string;
  /** Which devices have one, as far as is known before the device says. */
  usualOn: readonly FormFactor[];
  /** For a gadget that acts at once. */
  act?: (send: Send) => void;
  /** For one that has something to set. */
  panel?: GadgetPanel<State>;
}

/** Checks that reader and panel agree on their state, which nobody else looks into. */
export const gadget = <State, const Name extends string>(one: Gadget<State, Name>): Gadget<unknown, Name> =>
  one as unknown as Gadget<unknown, Name>;
