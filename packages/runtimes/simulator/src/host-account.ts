import { spawnSync } from "node:child_process";

/** An unprivileged account. */
export interface HostAccount {
  uid: number;
  gid: number;
}

/**
 * The account of host processes when the server is root. It is nobody else's, so that hosts cannot read what is another account's, such
 * as the database's files: systemd's list of ids leaves 65520 to 65533 unused. It needs no name.
 */
export const HOST_ACCOUNT: HostAccount = { uid: 65_533, gid: 65_533 };

/**
 * Answers the account that hosts run under; undefined means our own. That is so if we are not root, and if the account cannot read or
 * enter what a host needs, as in a clone below /root; then the log says so. It is found out at the first call.
 */
export function findHostAccount(needed: readonly string[], log: (line: string) => void): () => HostAccount | undefined {
  let found: { account: HostAccount | undefined } | undefined;
  return () => {
    found ??= { account: process.getuid?.() === 0 ? withAccess(needed, log) : undefined };
    return found.account;
  };
}

function withAccess(needed: readonly string[], log: (line: string) => void): HostAccount | undefined {
  const paths = [...needed, ...packagesOf()].filter((path) => path.startsWith("/"));
  // The shell asks the system, so that modes, groups, ACLs and mounts all count.
  const script = 'for path; do test -r "$path" || { echo "$path"; exit 1; }; done';
  const { status, stdout, error } = spawnSync("/bin/sh", ["-c", script, "sh", ...paths], {
    ...HOST_ACCOUNT,
    cwd: "/",
    env: {},
    encoding: "utf8",
  });
  if (status === 0) return HOST_ACCOUNT;
  const why = error ? error.message : `account ${HOST_ACCOUNT.uid} cannot read ${stdout.trim()}`;
  log(`the simulator's hosts run as root: ${why}`);
  return undefined;
}

/** A package of this repository and one of npm's. */
const packagesOf = (): string[] =>
  ["@terrarium/simulator-screen", "zod"].map((name) => new URL(import.meta.resolve(name)).pathname);
