import type { Time } from "../../platform/db/columns.ts";

/** A puzzle whose solution was used. */
export interface SpentPuzzleTable {
  signature: string;
  /** From then on it would not be accepted anyway. */
  expires_at: Time;
}

export interface BotCheckTables {
  spent_puzzles: SpentPuzzleTable;
}
