import { createPreference } from "../../components/preferences.ts";

const MAX_COMMANDS = 5;
const isIds = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** What somebody used last, the latest first. */
export const recentCommands = createPreference<readonly string[]>({
  name: "recent-commands",
  version: 1,
  byDefault: [],
  accepts: isIds,
});

export const rememberCommand = (id: string): void =>
  recentCommands.write([id, ...recentCommands.read().filter((other) => other !== id)].slice(0, MAX_COMMANDS));
