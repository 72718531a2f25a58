import { spawn } from "node:child_process";
import { closeSync, openSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { killProcesses, processesWith } from "@terrarium/runtime";
import { HostClient } from "@terrarium/simulator";
import { findHostAccount, type HostAccount } from "./host-account.ts";
import { type HostFolders, prepareFolders, socketIn } from "./host-folders.ts";
import type { HostProcesses } from "./host-pool.ts";

/** A program and the words before the host's own options. */
export interface HostCommand {
  command: string;
  args: readonly string[];
}

/** The program of a host process; its options stand in the file. */
const hostMain = fileURLToPath(new URL("./host-main.ts", import.meta.url));
const simulator: HostCommand = { command: process.execPath, args: [hostMain] };

export interface HostProcessesOptions {
  dataDir: string;
  log: (line: string) => void;
  hostCommand?: HostCommand;
  orphanMs?: number;
  maxDiskMb?: number;
}

export interface SystemProcesses extends HostProcesses {
  /** The account that they run under; undefined means our own. */
  account(): HostAccount | undefined;
}

/**
 * Hosts as processes of the system, found again by their sockets in the data directory. They do not end with this process; their output
 * goes to `simulator.log` in the data directory. If we are root, they run under an account of their own.
 */
export function hostProcesses({
  dataDir,
  log,
  hostCommand = simulator,
  orphanMs,
  maxDiskMb,
}: HostProcessesOptions): SystemProcesses {
  const { command, args } = hostCommand;
  const account = findHostAccount([command, ...args, resolve(dataDir)], log);
  let prepared: HostFolders | undefined;
  const folders = () => (prepared ??= prepareFolders(resolve(dataDir), account()));

  return {
    account,

    numbers: () => readdirSync(folders().sockets).flatMap((name) => Number(/^(\d+)\.sock$/.exec(name)?.[1] ?? [])),

    connect: (number) => HostClient.connect(socketIn(folders().sockets, number)),

    async spawn(number, maxDevices) {
      const { files, sockets } = folders();
      const options = {
        socket: socketIn(sockets, number),
        files: join(files, String(number)),
        "max-devices": maxDevices,
        "orphan-ms": orphanMs,
        "max-disk-mb": maxDiskMb,
      };
      const words = Object.entries(options).flatMap(([name, value]) =>
        value === undefined ? [] : [`--${name}`, String(value)],
      );
      const output = openSync(join(resolve(dataDir), "simulator.log"), "a", 0o600);
      try {
        const child = spawn(command, [...args, ...words], {
          ...account(),
          detached: true,
          stdio: ["ignore", output, output],
          cwd: "/",
          env: environment(files),
        });
        // It failed to start, which is reported by whoever waits for its socket.
        child.on("error", () => undefined);
        child.unref();
        log(`simulator host ${number} started as process ${child.pid}`);
      } finally {
        closeSync(output);
      }
    },

    async kill(number) {
      killProcesses(await processesWith(socketIn(folders().sockets, number)));
    },
  };
}

/**
 * All that a host gets of an environment: none of the server's secrets.
 *
 * The first is such that memory of pictures goes back to the system when it is freed. By itself glibc moves its threshold up to the
 * largest block that was ever freed; pictures then lie among small blocks, and a burst of starts leaves the host with gigabytes for as
 * long as it runs. glibc reads this before any program of ours. The second lets a host start from what earlier ones have compiled. The
 * library that draws looks for fonts at home, which an account without a name has none of.
 */
const environment = (files: string): Record<string, string> => ({
  MALLOC_MMAP_THRESHOLD_: "131072",
  NODE_COMPILE_CACHE: join(files, "compiled"),
  HOME: files,
});
