import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";

/** The unprivileged account that a program runs under. Where it is optional, undefined means our own account. */
export interface ProcessUser {
  uid: number;
  gid: number;
}

export interface RunResult {
  code: number | null;
  output: string;
}

/** The environment of the programs we run: without our secrets, and with messages in one language. */
export const PLAIN_ENV = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" };

export interface RunOptions {
  user?: ProcessUser | undefined;
  input?: string;
  /** One of our file descriptors, which the program gets as descriptor 3. */
  fd?: number;
  signal?: AbortSignal | undefined;
}

/** Runs a program to its end; returns its exit code and what it printed to stdout and stderr. Rejects when it cannot be started. */
export function run(program: string, args: string[], { user, input, fd, signal }: RunOptions = {}): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...user,
      // The account may not have access to our working directory.
      cwd: "/",
      env: PLAIN_ENV,
      signal,
      stdio: ["pipe", "pipe", "pipe", ...(fd === undefined ? [] : [fd])],
    });
    const printed: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => printed.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => printed.push(chunk));
    // A program may end without reading its whole input; its exit code says whether it succeeded.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output: Buffer.concat(printed).toString() }));
  });
}

/** True while a process with that id is running. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (!stat) return false;
  // "pid (name) state ...": the name may contain spaces and brackets, so search from the end.
  const state = stat.charAt(stat.lastIndexOf(")") + 2);
  // A zombie has ended, but in a container it may never be reaped.
  return state !== "Z" && state !== "X";
}

/** The command line of a process, as a list of arguments; empty when it has ended. */
export async function commandLine(pid: number): Promise<string[]> {
  const words = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return words.split("\0");
}

/** The processes with this argument in their command line. */
export async function processesWith(word: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const lines = await Promise.all(pids.map(commandLine));
  return pids.filter((_, index) => lines[index]?.includes(word));
}

/**
 * The processes whose working directory this is, as far as the account can see them. We look under that account: in a container, root may
 * be unable to inspect the processes of others.
 */
export async function processesIn(directory: string, user: ProcessUser | undefined): Promise<number[]> {
  const { output } = await run("/bin/sh", ["-c", "ls -l /proc/[0-9]*/cwd 2>/dev/null"], { user });
  const lines = output.split("\n").filter((line) => line.endsWith(` -> ${directory}`));
  return lines.map((line) => Number(/\/proc\/(\d+)\/cwd/.exec(line)?.[1]));
}
