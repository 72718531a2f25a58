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

/** The commands that were used recently, as a group of their own before the others, in which they are then left out. */
export function recentFirst(commands: readonly Command[], recent: readonly string[]): Command[] {
  const used = recent.flatMap((id) => commands.find((command) => command.id === id) ?? []);
  return [
    ...used.map((command) => ({ ...command, group: "recent" as const })),
    ...commands.filter((command) => !used.includes(command)),
  ];
}
