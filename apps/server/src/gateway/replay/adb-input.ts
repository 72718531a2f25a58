import type { ReplayHappening } from "@terrarium/contract";

const MAX_CHARS = 100;

/** From where it may be said to come. */
const SOURCE = "(?:(?:touchscreen|mouse|stylus|trackball|touchpad|touchnavigation|dpad|gamepad|joystick|keyboard) +)?";
const NUMBERS = "(?: +-?\\d+(?:\\.\\d+)?)*";
/** What types nothing. A key may be one of a password's, but for two. */
const SHOWN = new RegExp(
  `^input +${SOURCE}(?:(?:tap|swipe|draganddrop|press|roll)${NUMBERS}|motionevent +(?:DOWN|UP|MOVE|CANCEL)${NUMBERS}|keyevent +(?:(?:KEYCODE_)?(?:HOME|BACK)|3|4))$`,
);

/**
 * What is recorded of a command that adb has run on a device: what Android's `input` does, but not what it types. A shell has many ways to
 * write the same, so what is not known to type nothing counts as typing, and is not recorded.
 */
export function adbInputs(command: string, now: number): ReplayHappening[] {
  return command.split(/;|&&|\n/).flatMap((each): ReplayHappening[] => {
    const words = each.trim();
    if (SHOWN.test(words)) return [{ type: "adb", command: words.slice(0, MAX_CHARS) }];
    return /^\S*\binput\b\S*\s/.test(words) ? [{ type: "typing", until: now }] : [];
  });
}
