import { Listeners } from "../../components/listeners.ts";

/** A payment that the sandbox's bank asks its customer about. */
export interface BankQuestion {
  clientSecret: string;
  /** The bank's words if it was refused. */
  answer: (outcome: { error?: string }) => void;
}

let question: BankQuestion | undefined;
const listeners = new Listeners();

export const readQuestion = (): BankQuestion | undefined => question;
export const watchQuestion = listeners.subscribe;

/** Asks, in a dialog of the frame; whoever was asked before has not confirmed. */
export function askBank(clientSecret: string, notConfirmed: string): Promise<{ error?: string }> {
  question?.answer({ error: notConfirmed });
  return new Promise((resolve) => {
    question = {
      clientSecret,
      answer: (outcome) => {
        question = undefined;
        listeners.notify();
        resolve(outcome);
      },
    };
    listeners.notify();
  });
}
