import {
  mobileNetworkMessage,
  type MobileProfile,
  mobileProfiles,
  networkSwitchesMessage,
  type SignalStrength,
} from "@terrarium/player";
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

/** A simulated phone has both networks to set. Any other keeps them: adb may well come over one of them. */
export const openNetwork: OpenGadget = async (device, probing) => {
  if (!device.isSimulated || !(await hasGadget(device, "network", probing))) return fixed;
  const network = await Held.of<Network>(device, simulated(device), probing);
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

/** Both are on and stay on. The player locks its switches until it has been told so. */
const bothOn = networkSwitchesMessage({ wifi: true, mobile: true });
const fixed: Awaited<ReturnType<OpenGadget>> = {
  channels: ["settings"],
  introduce: (send) => send(bothOn),
  handle(command, reply) {
    if (command.type === "networkSwitch") reply(bothOn);
  },
};

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
    const turn = (what: "wifi" | "data", on: boolean | undefined) =>
      on === undefined ? undefined : runOnDevice(device, ["svc", what, on ? "enable" : "disable"], signal);
    await turn("wifi", wifi);
    await turn("data", mobile);
    await runGadget(device, "network", { profile, signal: strength && bars.indexOf(strength) }, signal);
  },
  tell: (state) => [networkSwitchesMessage(state), mobileNetworkMessage(state)],
});
