import { FairTurns } from "./fair-turns.ts";

/** A command line was killed, as Android's low-memory killer or `kill -9` would. The message is what the shell prints. */
export class Killed extends Error {
  override readonly name = "Killed";
}

/** 128 and the number of SIGKILL. */
export const KILLED_STATUS = 137;

export interface WorkLimits {
  /** Time on the processor, in ms. */
  ms: number;
  /** Bytes that commands read and write, in files, pipes and the connection. */
  bytes: number;
}

/** Enough to hash, copy and compress all that a device can store. */
const DEFAULT_LIMITS: WorkLimits = { ms: 60_000, bytes: 16 * 1024 ** 3 };

/** How long work holds the event loop before everything else gets a turn. */
const SLICE_MS = 1;

/** All devices of a process share its event loop. */
const sharedTurns = new FairTurns();

export interface WorkBudgetOptions {
  /** Whose turn the work takes: owners alternate. */
  owner: object;
  /** Aborts when nobody waits for the work any more. */
  signal: AbortSignal;
  limits?: WorkLimits | undefined;
  turns?: FairTurns | undefined;
}

/**
 * What one command line may use of the process that it shares with other devices. Whatever moves bytes or loops calls `spend`, which
 * lets the event loop turn now and then, and ends the work when the connection is gone or the budget is used up.
 */
export class WorkBudget {
  /** Aborts when the work must end. */
  readonly signal: AbortSignal;
  readonly #owner: object;
  readonly #limits: WorkLimits;
  readonly #turns: FairTurns;
  readonly #end = new AbortController();
  #bytes = 0;
  #ms = 0;

  constructor({ owner, signal, limits = DEFAULT_LIMITS, turns = sharedTurns }: WorkBudgetOptions) {
    this.signal = AbortSignal.any([signal, this.#end.signal]);
    this.#owner = owner;
    this.#limits = limits;
    this.#turns = turns;
  }

  /** Accounts for bytes that were read or are to be written. Throws `Killed` once the budget is used up, and the signal's reason once it aborts. */
  async spend(bytes = 0): Promise<void> {
    this.signal.throwIfAborted();
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.bytes) this.#kill(`more than ${this.#limits.bytes} bytes read and written`);
    const held = this.#turns.held();
    if (held < SLICE_MS) return;
    const isNew = this.#ms === 0;
    this.#ms += held;
    if (this.#ms > this.#limits.ms) this.#kill(`more than ${this.#limits.ms / 1000} s of processor time used`);
    await this.#turns.next(this.#owner, { isNew });
    this.signal.throwIfAborted();
  }

  /** Ends every part of the work, also one that waits for time or input. */
  #kill(why: string): never {
    this.#end.abort(new Killed(`Killed: ${why}`));
    throw this.#end.signal.reason;
  }
}
