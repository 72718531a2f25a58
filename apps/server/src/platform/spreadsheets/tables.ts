import type { Clock } from "@terrarium/clock";
import { Worker } from "node:worker_threads";
import { Gate } from "../gate.ts";
import type { Table, TableKind, Wanted } from "./table.ts";
import { TableError, type TableProblem } from "./table-error.ts";
import type { Cells } from "./write-table.ts";

export type Task =
  | { what: "read"; kind: TableKind; path: string; wanted: Wanted<string> }
  | { what: "write"; kind: TableKind; name: string; rows: Cells };

export type Answer =
  { table: Table<string> } | { content: Uint8Array } | { problem: TableProblem; column: string | undefined };

/** What a file that means no harm needs is far less: 5,000 lines take a second and 60 MB. */
const MAX_MS = 10_000;
const MEMORY_MB = 256;

/**
 * Reads and writes files with tables, whoever made them: in a thread of its own, which ends with the file, and earlier when it takes too long
 * or too much memory. Some at once; others wait, each caller in a lane.
 */
export class Tables {
  readonly #limits: Limits;
  readonly #gate = new Gate({ maxRunning: 2, maxWaiting: 40, maxWaitingPerLane: 4 });

  constructor({ clock, maxMemoryMb = MEMORY_MB }: { clock: Clock; maxMemoryMb?: number }) {
    this.#limits = { clock, maxMemoryMb };
  }

  /** @throws TableError; AppError when too many wait */
  async read<Column extends string>(
    lane: string,
    file: { kind: TableKind; path: string },
    wanted: Wanted<Column>,
  ): Promise<Table<Column>> {
    const answer = await this.#run(lane, { what: "read", ...file, wanted });
    if (!("table" in answer)) throw new Error("A file was to be read");
    return answer.table;
  }

  async write(lane: string, kind: TableKind, name: string, rows: Cells): Promise<Uint8Array> {
    const answer = await this.#run(lane, { what: "write", kind, name, rows });
    if (!("content" in answer)) throw new Error("A file was to be written");
    return answer.content;
  }

  async #run(lane: string, task: Task): Promise<Answer> {
    const answer = await this.#gate.run(lane, () => inThread(task, this.#limits));
    if ("problem" in answer) throw new TableError(answer.problem, answer);
    return answer;
  }
}

interface Limits {
  clock: Clock;
  /** For what JavaScript keeps; the library keeps bytes besides, which are bounded by the size of the file. */
  maxMemoryMb: number;
}

async function inThread(task: Task, { clock, maxMemoryMb }: Limits): Promise<Answer> {
  const worker = new Worker(new URL("worker.ts", import.meta.url), {
    workerData: task,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    // What a library says of a broken file is of no use to anybody.
    stdout: true,
    stderr: true,
  });
  const over = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  worker.once("message", resolve);
  worker.once("error", (error: NodeJS.ErrnoException) =>
    reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? new TableError("tooLarge", { cause: error }) : error),
  );
  worker.once("exit", () => reject(new TableError("unreadable")));
  clock.sleep(MAX_MS, over.signal).then(
    () => reject(new TableError("tooLarge")),
    () => undefined,
  );
  try {
    return await promise;
  } finally {
    over.abort();
    await worker.terminate();
  }
}
