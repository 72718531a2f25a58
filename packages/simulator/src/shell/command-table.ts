import { activity } from "./commands/activity.ts";
import { basics } from "./commands/basics.ts";
import { changing } from "./commands/changing.ts";
import { digests } from "./commands/digests.ts";
import { dumpsys } from "./commands/dumpsys.ts";
import { input } from "./commands/input.ts";
import { listing } from "./commands/listing.ts";
import { logcat } from "./commands/logcat.ts";
import { packageCommands } from "./commands/packages.ts";
import { properties } from "./commands/properties.ts";
import { search } from "./commands/search.ts";
import { server } from "./commands/server.ts";
import { settings } from "./commands/settings.ts";
import { system } from "./commands/system.ts";
import { text } from "./commands/text.ts";
import { windowCommands } from "./commands/window.ts";
import type { Command, Commands } from "./invocation.ts";
import type { ShellState } from "./shell-state.ts";

/** Part of the shell itself: no file in /system/bin. */
const builtIn = new Set([":", "cd", "export", "read", "set", "type", "unset"]);

const commands: Commands = {
  ...basics,
  ...listing,
  ...changing,
  ...text,
  ...search,
  ...digests,
  ...system,
  ...properties,
  ...packageCommands,
  ...activity,
  ...input,
  ...windowCommands,
  ...dumpsys,
  ...settings,
  ...logcat,
  ...server,
};
const aliases: Record<string, string> = { egrep: "grep", fgrep: "grep" };

/** Names in /system/bin. */
export const commandNames = (): string[] =>
  [...Object.keys(commands), ...Object.keys(aliases), "sh"].filter((name) => !builtIn.has(name)).toSorted();

/** The command of a name, or of a path into a folder of commands. */
export function findCommand(name: string, shell: ShellState): Command | undefined {
  const path = /^(?:\/system\/bin|\/bin|\/system\/xbin|\/vendor\/bin)\/([^/]+)$/.exec(name);
  if (name.includes("/") && !path) return undefined;
  const plain = path?.[1] ?? name;
  if (path && !shell.files.exists(name)) return undefined;
  const found = aliases[plain] ?? plain;
  return Object.hasOwn(commands, found) ? commands[found] : undefined;
}
