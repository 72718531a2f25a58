import { clipboardMessage } from "@terrarium/player";
import type { OpenGadget } from "./gadget.ts";

/** The clipboard, both ways. The player has no flag for it: every device has one. */
export const openClipboard: OpenGadget = ({ display, broadcast }) => ({
  channels: ["framework"],
  handle(command) {
    if (command.type === "clipboard")
      display.sendControl({ type: "setClipboard", sequence: 0n, paste: false, text: command.text });
  },
  release: display.watchClipboard((text) => {
    const message = clipboardMessage(text);
    if (message !== undefined) broadcast(message);
  }),
});
