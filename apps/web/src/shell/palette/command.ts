import { createPreference } from "../../components/preferences.ts";
import type { Glyph } from "../../components/Icon.tsx";

export type Group = "recent" | "go" | "devices" | "recipes" | "people" | "do";

/** Something that the palette offers. */
export interface Command {
  /** The same in each visit, for what was used recently. */
  id: string;
  group: Group;
  title: string;
  /** Shown beside it. */
  detail?: string | undefined;
  /** Found by these too. */
  words?: string;
  glyph: Glyph;
  run: () => void;
}

const KEPT = 5;
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
  recentCommands.write([id, ...recentCommands.read().filter((other) => other !== id)].slice(0, KEPT));

/** The commands that were used recently, as a group of their own before the others, in which they are then left out. */
export function recentFirst(commands: readonly Command[], recent: readonly string[]): Command[] {
  const used = recent.flatMap((id) => commands.find((command) => command.id === id) ?? []);
  return [
    ...used.map((command) => ({ ...command, group: "recent" as const })),
    ...commands.filter((command) => !used.includes(command)),
  ];
}
