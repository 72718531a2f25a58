import { networkSwitchesMessage } from "@terrarium/player";
import type { OpenGadget } from "./gadget.ts";

/** Both networks are on and stay on. The player locks its switches until it has been told so. */
export const openNetwork: OpenGadget = () => {
  const state = networkSwitchesMessage({ wifi: true, mobile: true });
  return {
    channels: ["settings"],
    introduce: (send) => send(state),
    handle(command, reply) {
      if (command.type === "networkSwitch") reply(state);
    },
  };
};
