import type { ReplayHappening } from "@terrarium/contract";

const MAX_CHARS = 100;

/** What is recorded of a command that adb has run on a device: what Android's `input` does, but not what it types. */
export function adbInputs(command: string, now: number): ReplayHappening[] {
  return command.split(/;|&&|\n/).flatMap((each): ReplayHappening[] => {
    const words = each.trim();
    if (!/^input\s/.test(words)) return [];
    // A key may be one of a password’s.
    if (/\s(text|keycombination|keyevent)\s/.test(words) && !/\skeyevent\s+(KEYCODE_)?(HOME|BACK|3|4)$/.test(words))
      return [{ type: "typing", until: now }];
    return [{ type: "adb", command: words.slice(0, MAX_CHARS) }];
  });
}
