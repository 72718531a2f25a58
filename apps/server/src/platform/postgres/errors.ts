/** Another live server already works on this directory. */
export class DirectoryBusyError extends Error {
  override name = "DirectoryBusyError";
  readonly directory: string;

  constructor(directory: string, ownerPid: number | undefined) {
    const owner =
      ownerPid === undefined ? "another Terrarium server" : `another Terrarium server (process ${ownerPid})`;
    super(`${directory} is in use by ${owner}. Stop that one first, or give this one a data directory of its own.`);
    this.directory = directory;
  }
}

/** The embedded PostgreSQL could not be set up or started. The message ends with the last lines it printed. */
export class PostgresStartError extends Error {
  override name = "PostgresStartError";

  constructor(what: string, printed = "") {
    const tail = printed.trimEnd().split("\n").slice(-15).join("\n");
    super(tail ? `${what}\n${tail}` : what);
  }
}
