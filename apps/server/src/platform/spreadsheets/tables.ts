import type { Clock } from "@terrarium/clock";
import { Gate } from "../gate.ts";
import { inThread, ThreadError, type ThreadLimits } from "../in-thread.ts";
import type { Table, TableKind, Wanted } from "./table.ts";
import { TableError, type TableProblem } from "./table-error.ts";
import type { Cells } from "./write-table.ts";

export type Task =
  | { what: "read"; kind: TableKind; path: string; wanted: Wanted<string> }
  | { what: "write"; kind: TableKind; name: string; rows: Cells };

export type Answer =
  | { table: Table<string> }
  | { content: Uint8Array }
  | { problem: TableProblem; column: string | undefined };

/** What a file that means no harm needs is far less: 5,000 lines take a second and 60 MB. */
const MAX_MS = 10_000;
const MEMORY_MB = 256;

/**
 * Reads and writes files with tables, whoever made them: in a thread of its own, which ends with the file, and earlier when it takes too long
 * or too much memory. Some at once; others wait, each caller in a lane.
 */
export class Tables {
  readonly #limits: ThreadLimits;
  readonly #gate = new Gate({ maxRunning: 2, maxWaiting: 40, maxWaitingPerLane: 4 });

  constructor({ clock, maxMemoryMb = MEMORY_MB }: { clock: Clock; maxMemoryMb?: number }) {
    this.#limits = { clock, maxMs: MAX_MS, maxMemoryMb };
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
    const module = new URL("worker.ts", import.meta.url);
    const answer = await this.#gate
      .run(lane, () => inThread<Answer>(module, task, this.#limits))
      .catch((error: unknown) => {
        if (!(error instanceof ThreadError)) throw error;
        throw new TableError(error.reason === "tooMuch" ? "tooLarge" : "unreadable", { cause: error });
      });
    if ("problem" in answer) throw new TableError(answer.problem, answer);
    return answer;
  }
}
