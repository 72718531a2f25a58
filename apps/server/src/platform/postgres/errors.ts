/** Another running server uses this directory. */
export class DirectoryBusyError extends Error {
  override name = "DirectoryBusyError";
  readonly directory: string;

  constructor(directory: string, ownerPid: number | undefined) {
    const owner =
      ownerPid === undefined ? "another Terrarium server" : `another Terrarium server (process ${ownerPid})`;
    super(`${directory} is in use by ${owner}. Stop it first, or use another data directory.`);
    this.directory = directory;
  }
}

/** The embedded PostgreSQL could not be set up or started. The message ends with the last 15 lines that it printed. */
export class PostgresStartError extends Error {
  override name = "PostgresStartError";

  constructor(what: string, printed = "") {
    const tail = printed.trimEnd().split("\n").slice(-15).join("\n");
    super(tail ? `${what}\n${tail}` : what);
  }
}
