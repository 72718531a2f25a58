/** Why a file is no table: what is wrong with it, and with which of the columns that are sought. */
export class TableError extends Error {
  override readonly name = "TableError";
  readonly reason: TableProblem;
  readonly column: string | undefined;

  constructor(reason: TableProblem, { column, cause }: { column?: string | undefined; cause?: unknown } = {}) {
    super(`The table is ${reason}`, { cause });
    this.reason = reason;
    this.column = column;
  }
}

/** `unreadable` is also said of what is never read: macros, passwords, and packages that are not what they say. */
export type TableProblem = "unreadable" | "tooLarge" | "tooManyRows" | "empty" | "missingColumn" | "columnTwice";
