import type { Clock } from "@terrarium/clock";
import { Worker } from "node:worker_threads";
import { compileCache } from "./compile-cache.ts";

export interface ThreadLimits {
  clock: Clock;
  maxMs: number;
  /** For JavaScript's heap; libraries may hold bytes besides. */
  maxMemoryMb: number;
}

/** Why a thread gave no answer: it took too long or too much memory, or ended by itself. */
export class ThreadError extends Error {
  override readonly name = "ThreadError";
  readonly reason: "tooMuch" | "ended";

  constructor(reason: ThreadError["reason"], options?: ErrorOptions) {
    super(`A thread gave no answer: ${reason}`, options);
    this.reason = reason;
  }
}

/**
 * Runs a module in a thread of its own, which ends when it posts its answer, and earlier when it takes too long or too much memory. It
 * knows nothing of this process but `task`, and what `feed` posts to it.
 * @throws ThreadError; what the module throws; what `feed` throws
 */
export async function inThread<Answer>(
  module: URL,
  task: unknown,
  { clock, maxMs, maxMemoryMb }: ThreadLimits,
  feed: (post: (message: unknown) => void, ended: AbortSignal) => Promise<void> = async () => undefined,
): Promise<Answer> {
  const worker = new Worker(module, {
    workerData: task,
    env: compileCache,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    // What a library says is of no use to anybody.
    stdout: true,
    stderr: true,
  });
  const over = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  worker.once("message", resolve);
  worker.once("error", (error: NodeJS.ErrnoException) =>
    reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? new ThreadError("tooMuch", { cause: error }) : error),
  );
  worker.once("exit", () => reject(new ThreadError("ended")));
  clock.sleep(maxMs, over.signal).then(
    () => reject(new ThreadError("tooMuch")),
    () => undefined,
  );
  feed((message) => worker.postMessage(message, []), over.signal).catch(reject);
  try {
    return await promise;
  } finally {
    over.abort();
    await worker.terminate();
  }
}
