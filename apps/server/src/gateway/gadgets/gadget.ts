import type { AdbLink } from "@terrarium/adb";
import type { Capabilities, Channel, InputCommand, NotifyCommand, SensorCommand } from "@terrarium/player";
import type { MachineConsole } from "@terrarium/runtime";
import type { Logger } from "../../platform/log.ts";
import type { DisplaySource } from "../display/display-source.ts";
import type { DeviceFacts } from "./device-kind.ts";

/** Sends one of the player's messages. That of a viewer is the same function each time. */
export type Send = (message: string) => void;

/** What the player sends on no channel and is no input. */
type PlainCommand = Extract<InputCommand, { type: "rotate" | "bitrate" | "size" }>;

/** Where a gadget's commands come from: the player's channels, and the names of those commands that have none. */
type GadgetChannel = Channel | PlainCommand["type"];
export type GadgetCommand = SensorCommand | NotifyCommand | PlainCommand;

/** The device that a gadget belongs to. */
export interface GadgetDevice extends DeviceFacts {
  shell: AdbLink["shell"];
  /** Of an emulator whose console answers. */
  console?: MachineConsole | undefined;
  display: Pick<DisplaySource, "sendControl" | "watchClipboard" | "size" | "reshape" | "hasSound" | "isFixed">;
  /** To everybody who watches. */
  broadcast: Send;
  /** Aborts when the device is over. */
  signal: AbortSignal;
  log: Logger;
}

/** One thing a device has besides its screen and its keys: a battery, a clipboard, a GPS. All viewers share it. */
export interface Gadget {
  /** The player's flags for it; a widget whose flag is not true is off. */
  readonly capabilities?: readonly (keyof Capabilities)[];
  /** Several gadgets may listen to the same channel; each takes the commands it knows. */
  readonly channels: readonly GadgetChannel[];
  /** Sends the present state to a viewer who has just come. */
  introduce?(send: Send): void;
  /** Does what a viewer asks; `reply` reaches that viewer alone. Never waits and never throws. */
  handle(command: GadgetCommand, reply: Send): void;
  /** The viewer with this `reply` is gone. */
  leave?(reply: Send): void;
  /** The device is over. */
  release?(): void;
}

/**
 * Finds out whether the device has it, and which way of serving it the device understands; undefined when it has none.
 * `probing` aborts when that takes too long.
 */
export type OpenGadget = (
  device: GadgetDevice,
  probing: AbortSignal,
) => Gadget | undefined | Promise<Gadget | undefined>;
