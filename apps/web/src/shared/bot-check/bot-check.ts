/** What a form sends to show that no program filled it in. */
export interface BotCheck {
  /** Begins with what takes time, so that the form need not wait for it. */
  prepare(): void;
  /** Each proof is taken once. */
  take(): Promise<string>;
}
