import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Debian's, which people have, and where there is none the one that runs this. */
export const stockNode = (): Promise<string> =>
  promisify(execFile)("/usr/bin/node", ["--version"]).then(
    () => "/usr/bin/node",
    () => process.execPath,
  );
