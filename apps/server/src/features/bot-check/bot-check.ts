import type { Puzzle } from "@terrarium/contract";

/** Distinguishes people from programs that would sign up thousands of times. */
export interface BotCheck {
  /**
   * Accepts what a browser sends as proof, once.
   * @throws AppError BOT_CHECK_FAILED; SERVICE_UNAVAILABLE if it could not be checked
   */
  check(token: string, address: string): Promise<void>;
  /**
   * A puzzle for a browser.
   * @throws AppError ROUTE_NOT_FOUND if another service sets the task
   */
  puzzle(): Promise<Puzzle>;
}
