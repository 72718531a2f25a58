import { gamepadConfirmationMessage, type GamepadCommand } from "@terrarium/player";
import type { OpenGadget, Send } from "./gadget.ts";
import { gamepadDescriptor, GamepadState } from "./gamepad-report.ts";

/** Android itself makes players of the first four. */
const MAX_PADS = 8;
const MAX_PADS_OF_VIEWER = 4;
/** Ids that scrcpy's own client has for a keyboard and a mouse are below. */
const FIRST_ID = 3;
const MAX_NAME_BYTES = 80;

interface Pad {
  owner: Send;
  hostIndex: number;
  state: GamepadState;
}

/** Controllers of viewers, which become controllers of the device: wherever its shell may make some, as scrcpy needs. */
export const openGamepad: OpenGadget = async ({ display, shell }, probing) => {
  const { exitCode } = await shell(["test", "-w", "/dev/uhid"], { signal: probing });
  if (exitCode !== 0) return undefined;
  const pads = new Map<number, Pad>();

  const plugIn = (command: Extract<GamepadCommand, { type: "gamepadPlugIn" }>, owner: Send) => {
    const { hostIndex, vendorId, productId } = command;
    const own = [...pads].filter(([, pad]) => pad.owner === owner);
    const known = own.find(([, pad]) => pad.hostIndex === hostIndex)?.[0];
    const free = Array.from({ length: MAX_PADS }, (_, number) => number).find((number) => !pads.has(number));
    const number = known ?? (own.length < MAX_PADS_OF_VIEWER ? free : undefined);
    if (number === undefined) return;
    if (known === undefined) {
      pads.set(number, { owner, hostIndex, state: new GamepadState() });
      const reportDescriptor = gamepadDescriptor;
      const name = nameOf(command.name);
      display.sendControl({ type: "uhidCreate", id: FIRST_ID + number, vendorId, productId, name, reportDescriptor });
    }
    owner(gamepadConfirmationMessage(hostIndex, number));
  };
  const unplug = (number: number) => {
    if (pads.delete(number)) display.sendControl({ type: "uhidDestroy", id: FIRST_ID + number });
  };

  return {
    capabilities: ["gamepad"],
    channels: ["vinput"],
    handle(command, reply) {
      if (command.type === "gamepadPlugIn") return plugIn(command, reply);
      const number = "pad" in command ? command.pad : -1;
      const pad = pads.get(number);
      // Nobody has a hand on the controller of another.
      if (pad?.owner !== reply) return;
      if (command.type === "gamepadUnplug") return unplug(number);
      const isChanged =
        (command.type === "gamepadButton" && pad.state.press(command.button, command.pressed)) ||
        (command.type === "gamepadAxis" && pad.state.move(command.axis, command.value));
      if (isChanged) display.sendControl({ type: "uhidInput", id: FIRST_ID + number, data: pad.state.report() });
    },
    leave(reply) {
      for (const [number, { owner }] of pads) if (owner === reply) unplug(number);
    },
  };
};

/** The player writes underscores for spaces. */
function nameOf(name: string): string {
  const shown = name
    .replaceAll("_", " ")
    .replaceAll(/[^\x20-\x7e]/g, "")
    .slice(0, MAX_NAME_BYTES)
    .trim();
  return shown === "" ? "Gamepad" : shown;
}
