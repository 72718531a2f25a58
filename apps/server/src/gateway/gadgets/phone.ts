import {
  imsiMessage,
  operatorMessage,
  operatorNameMessage,
  phoneNumberMessage,
  type BasebandCommand,
} from "@terrarium/player";
import type { MachineConsole } from "@terrarium/runtime";
import type { Gadget, GadgetDevice, OpenGadget } from "./gadget.ts";
import { Held } from "./held.ts";
import { hasGadget, runGadget } from "./run-on-device.ts";

interface Sim {
  networkOperator: string;
  networkName: string;
  simOperator: string;
  simName: string;
  subscriber: string;
  number: string;
}

/** Calls and messages that wait for the device; more than that is nobody's doing by hand. */
const MAX_WAITING = 16;

/** Calls and messages that come in, and the SIM. Stock Android has no command for either; an emulator has for the first two. */
export const openPhone: OpenGadget = async (device, probing) => {
  if (device.console && device.kind === "handheld") return emulated(device, device.console);
  if (!device.isSimulated || !(await hasGadget(device, "phone", probing))) return undefined;
  const sim = await Held.of<Sim>(
    device,
    {
      name: "SIM",
      read: async (signal) => (await runGadget(device, "sim", {}, signal)) as unknown as Sim,
      write: async (change, signal) => void (await runGadget(device, "sim", { ...change }, signal)),
      messagesOf: (state) => [
        operatorMessage("network", state.networkOperator),
        operatorNameMessage("network", state.networkName),
        operatorMessage("sim", state.simOperator),
        operatorNameMessage("sim", state.simName),
        imsiMessage(state.subscriber),
        phoneNumberMessage(state.number),
      ],
    },
    probing,
  );
  const inTurn = turnsOf(device);
  const send = (change: { call: string } | { message: string }) =>
    inTurn(() => runGadget(device, "phone", change, device.signal));
  return (
    sim && {
      capabilities: ["phone"],
      channels: ["baseband"],
      introduce: (hear) => sim.introduce(hear),
      handle(command) {
        if (command.type === "call") send({ call: command.number });
        else if (command.type === "sms") send({ message: `${command.number} ${command.text}` });
        else if (command.type !== "notify") sim.want(simChange(command as BasebandCommand));
      },
    }
  );
};

/** A line is a command of the console, which reads these escapes. */
const escaped = (text: string) => text.replaceAll("\\", "\\\\").replaceAll(/\r\n?|\n/g, "\\n");

function emulated(device: GadgetDevice, console: MachineConsole): Gadget {
  const inTurn = turnsOf(device);
  const send = (command: string) => inTurn(() => console.send(command, device.signal));
  return {
    capabilities: ["phone"],
    channels: ["baseband"],
    handle(command) {
      if (command.type === "call") send(`gsm call ${command.number}`);
      else if (command.type === "sms") send(`sms send ${command.number} ${escaped(command.text)}`);
    },
  };
}

function simChange(command: BasebandCommand): Partial<Sim> {
  switch (command.type) {
    case "operator":
      return command.of === "sim" ? { simOperator: command.code } : { networkOperator: command.code };
    case "operatorName":
      return command.of === "sim" ? { simName: command.name } : { networkName: command.name };
    case "imsi":
      return { subscriber: command.subscriber };
    case "phoneNumber":
      return { number: command.number };
    default:
      return {};
  }
}

/** Does one after the other, in the order in which they were asked for. */
function turnsOf(device: GadgetDevice): (work: () => Promise<unknown>) => void {
  let last = Promise.resolve();
  let waiting = 0;
  return (work) => {
    if (waiting >= MAX_WAITING) return;
    waiting++;
    last = last
      .then(async () => void (await work()))
      .catch((error: unknown) => {
        if (!device.signal.aborted) device.log.warn({ err: error }, "a call or message did not reach the device");
      })
      .finally(() => waiting--);
  };
}
