import type { Time } from "../../platform/db/columns.ts";

/** A puzzle whose solution was used. */
export interface SpentPuzzleTable {
  signature: string;
  /** From then on it would not be accepted anyway. */
  expires_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    spent_puzzles: SpentPuzzleTable;
  }
}
