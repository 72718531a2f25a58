import {
  mobileNetworkMessage,
  type MobileProfile,
  mobileProfiles,
  networkSwitchesMessage,
  type SignalStrength,
} from "@terrarium/player";
import type { MachineConsole } from "@terrarium/runtime";
import type { GadgetDevice, OpenGadget } from "./gadget.ts";
import { Held, type Ways } from "./held.ts";
import { hasGadget, runGadget, runOnDevice } from "./run-on-device.ts";

interface Network {
  wifi: boolean;
  mobile: boolean;
  profile: MobileProfile;
  strength: SignalStrength;
}

/** As Android counts its bars. */
const bars: readonly SignalStrength[] = ["none", "poor", "moderate", "good", "great"];

/**
 * Both networks can be set on a simulated phone, and on an emulator, whose adb needs neither. On any other they stay on: adb may come over
 * one of them.
 */
export const openNetwork: OpenGadget = async (device, probing) => {
  const console = device.kind === "handheld" ? device.console : undefined;
  if (!console && !(device.isSimulated && (await hasGadget(device, "network", probing)))) return fixed;
  const ways = console ? emulated(device, console) : simulated(device);
  const network = await Held.of<Network>(device, ways, probing);
  return (
    network && {
      capabilities: ["network", "mobileThrottling", "enable5G"],
      channels: ["settings", "network_profile"],
      introduce: (send) => network.introduce(send),
      handle(command, reply) {
        if (command.type === "networkSwitch") network.want({ [command.network]: command.on });
        if (command.type === "mobileProfile") network.want({ profile: command.profile });
        if (command.type === "mobileSignal") network.want({ strength: command.strength });
        if (command.type === "notify") network.introduce(reply);
      },
    }
  );
};

/** Both are on and stay on. The player locks its switches until it has received this. */
const bothOn = networkSwitchesMessage({ wifi: true, mobile: true });
const fixed: Awaited<ReturnType<OpenGadget>> = {
  channels: ["settings"],
  introduce: (send) => send(bothOn),
  handle(command, reply) {
    if (command.type === "networkSwitch") reply(bothOn);
  },
};

const turn = (device: GadgetDevice, what: "wifi" | "data", on: boolean | undefined, signal: AbortSignal) =>
  on === undefined ? undefined : runOnDevice(device, ["svc", what, on ? "enable" : "disable"], signal);

/** The modem of an emulator, which starts at its best and reports nothing. */
function emulated(device: GadgetDevice, console: MachineConsole): Ways<Network> {
  let network: Network = { wifi: true, mobile: true, profile: "lte", strength: "great" };
  return {
    name: "network",
    read: async () => network,
    async write(change, signal) {
      const { wifi, mobile, profile, strength } = change;
      await turn(device, "wifi", wifi, signal);
      await turn(device, "data", mobile, signal);
      if (profile !== undefined) await console.send(`gsm data ${profile === "none" ? "off" : "on"}`, signal);
      if (profile !== undefined && profile !== "none")
        await console.send(`network speed ${profile === "5g" ? "full" : profile}`, signal);
      if (strength !== undefined) await console.send(`gsm signal-profile ${bars.indexOf(strength)}`, signal);
      network = { ...network, ...change };
    },
    messagesOf,
  };
}

const messagesOf = (state: Network): string[] => [networkSwitchesMessage(state), mobileNetworkMessage(state)];

const simulated = (device: GadgetDevice): Ways<Network> => ({
  name: "network",
  async read(signal) {
    const { wifi, mobile, profile, signal: strength } = await runGadget(device, "network", {}, signal);
    return {
      wifi: wifi === "true",
      mobile: mobile === "true",
      profile: mobileProfiles.find((each) => each === profile) ?? "none",
      strength: bars[Number(strength)] ?? "none",
    };
  },
  async write({ wifi, mobile, profile, strength }, signal) {
    await turn(device, "wifi", wifi, signal);
    await turn(device, "data", mobile, signal);
    await runGadget(device, "network", { profile, signal: strength && bars.indexOf(strength) }, signal);
  },
  messagesOf,
});
