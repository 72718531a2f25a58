import { oneOf } from "../words.ts";

const commands = ["install opengapps", "cancel", "reboot"] as const;

export interface SystemPatcherCommand {
  type: "systemPatcher";
  command: (typeof commands)[number];
}

/** `install opengapps`, `cancel`, `reboot`. */
export function parseSystemPatcher(text: string): SystemPatcherCommand | undefined {
  const command = oneOf(commands, text);
  return command && { type: "systemPatcher", command };
}
