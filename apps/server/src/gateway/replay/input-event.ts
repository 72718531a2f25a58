import type { ReplayButton, ReplayHappening } from "@terrarium/contract";
import type { ControlMessage } from "@terrarium/scrcpy";

/** Android's key codes of what is on every device. */
const buttons: ReadonlyMap<number, ReplayButton> = new Map([
  [3, "home"],
  [4, "back"],
  [24, "volumeUp"],
  [25, "volumeDown"],
  [26, "power"],
  [187, "recents"],
]);

/**
 * What is recorded of something that is sent to a device; undefined for what is not input. Neither characters nor other keys are, as they
 * may be for a password.
 */
export function inputEvent(message: ControlMessage, now: number): ReplayHappening | undefined {
  switch (message.type) {
    case "touch": {
      const { action } = message;
      if (action !== "down" && action !== "move" && action !== "up") return undefined;
      // Up to a thousand a second: spelled out, as a spread after other members costs ten times as much.
      const { x, y, width, height } = message.position;
      return { type: "touch", action, finger: Number(message.pointerId), x, y, width, height };
    }
    case "scroll":
      return { type: "scroll", ...message.position };
    case "key": {
      if (message.action !== "down" || message.repeat > 0) return undefined;
      const name = buttons.get(message.keyCode);
      return name ? { type: "button", name } : { type: "typing", until: now };
    }
    case "text":
      return { type: "typing", until: now };
    case "setClipboard":
      return message.paste ? { type: "typing", until: now } : undefined;
    default:
      return undefined;
  }
}
