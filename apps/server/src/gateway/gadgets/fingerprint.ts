import { fingerprintAutoMessage, fingerprintStatusMessage } from "@terrarium/player";
import type { OpenGadget } from "./gadget.ts";

/** No device has a sensor yet, but the player asks for its state and waits for an answer. */
export const openFingerprint: OpenGadget = () => ({
  channels: ["fingerprint"],
  handle(command, reply) {
    if (command.type !== "notify") return;
    reply(fingerprintStatusMessage("idle"));
    reply(fingerprintAutoMessage(false));
  },
});
