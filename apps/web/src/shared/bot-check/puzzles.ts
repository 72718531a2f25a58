import { limits, type Puzzle } from "@terrarium/contract";
import { client } from "../../session/client.ts";
import type { BotCheck } from "./bot-check.ts";

/** A puzzle that was solved must still be valid when it arrives, also after a long wait for the network. */
const VALID_MS = (limits.puzzleMinutes - 2) * 60_000;

/** Puzzles of the service, which are solved in the background while somebody fills in the form. */
export class Puzzles implements BotCheck {
  #ahead: { solved: Promise<string>; until: number } | undefined;

  prepare(): void {
    if (this.#ahead) return;
    const solved = solve();
    // Whoever takes it gets the error.
    solved.catch(() => undefined);
    this.#ahead = { solved, until: performance.now() + VALID_MS };
  }

  take(): Promise<string> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    return ahead && performance.now() < ahead.until ? ahead.solved.catch(solve) : solve();
  }
}

async function solve(): Promise<string> {
  const challenge = await client.accounts.puzzle();
  const solution = await solveInWorker(challenge);
  return btoa(JSON.stringify({ challenge, solution }));
}

function solveInWorker(puzzle: Puzzle): Promise<unknown> {
  const worker = new Worker(new URL("./puzzle-worker.ts", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", ({ data }) => resolve(data));
    worker.addEventListener("error", ({ message }) => reject(new Error(message || "The worker did not start")));
    worker.postMessage(puzzle, []);
  }).finally(() => worker.terminate());
}
