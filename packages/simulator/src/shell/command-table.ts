import type { Command, Commands } from "./invocation.ts";
import type { ShellState } from "./shell-state.ts";

/** Part of the shell itself: no file in /system/bin. */
const builtIn = new Set([":", "cd", "export", "read", "set", "type", "unset"]);
const aliases: Record<string, string> = { egrep: "grep", fgrep: "grep" };

/** The commands of a device. They are passed to the shell, which by itself knows only those that change its own flow. */
export class CommandTable {
  readonly #commands: Commands;
  /** Names in /system/bin. */
  readonly names: readonly string[];

  constructor(commands: Commands) {
    this.#commands = commands;
    this.names = [...Object.keys(commands), ...Object.keys(aliases), "sh"]
      .filter((name) => !builtIn.has(name))
      .toSorted();
  }

  /** The command of a name, or of a path into a directory of commands. */
  find(name: string, shell: ShellState): Command | undefined {
    const path = /^(?:\/system\/bin|\/bin|\/system\/xbin|\/vendor\/bin)\/([^/]+)$/.exec(name);
    if (name.includes("/") && !path) return undefined;
    const plain = path?.[1] ?? name;
    if (path && !shell.files.exists(name)) return undefined;
    const found = aliases[plain] ?? plain;
    return Object.hasOwn(this.#commands, found) ? this.#commands[found] : undefined;
  }
}
