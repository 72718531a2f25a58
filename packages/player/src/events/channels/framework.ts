import { fromBase64 } from "../../base64.ts";

export type FrameworkCommand = { type: "androidId"; id: string } | { type: "clipboard"; text: string };

const CLIPBOARD = "set_device_clipboard";

/** `set parameter android_id:<16 hexadecimal digits>`, `set_device_clipboard <base64 of UTF-8>`. */
export function parseFramework(command: string): FrameworkCommand | undefined {
  const id = /^set parameter android_id:([0-9a-fA-F]{16})$/.exec(command)?.[1];
  if (id !== undefined) return { type: "androidId", id };
  if (command !== CLIPBOARD && !command.startsWith(`${CLIPBOARD} `)) return undefined;
  const text = fromBase64(command.slice(CLIPBOARD.length + 1));
  return text === undefined ? undefined : { type: "clipboard", text };
}
