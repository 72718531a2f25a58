import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";

/** The unprivileged account a program runs under; undefined: the server's own. */
export interface ProcessUser {
  uid: number;
  gid: number;
}

export interface Ran {
  code: number | null;
  output: string;
}

/** What a program sees of our environment: no secret of the server's, and messages in one language. */
export const PLAIN_ENV = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" };

export interface RunOptions {
  user?: ProcessUser | undefined;
  input?: string;
  /** A file descriptor of ours that the program gets as its number 3. */
  fd?: number;
  signal?: AbortSignal | undefined;
}

/** Runs a program to its end and gives its exit code and what it printed on both outputs. Rejects when it cannot be started. */
export function run(program: string, args: string[], { user, input, fd, signal }: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...user,
      // The account may not be able to enter our own working directory.
      cwd: "/",
      env: PLAIN_ENV,
      signal,
      stdio: ["pipe", "pipe", "pipe", ...(fd === undefined ? [] : [fd])],
    });
    const printed: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => printed.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => printed.push(chunk));
    // A program that ends without reading all of its input is judged by its exit code.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output: Buffer.concat(printed).toString() }));
  });
}

/** True while there is a process of that number that has not ended. */
export async function runs(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (!stat) return false;
  // "pid (name) state ...": a name may hold spaces and brackets, so count from the last one.
  const state = stat.charAt(stat.lastIndexOf(")") + 2);
  // A zombie has ended; in a container nobody may ever collect it.
  return state !== "Z" && state !== "X";
}

/** The words a process was started with; none when it has ended. */
export async function commandLine(pid: number): Promise<string[]> {
  const words = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return words.split("\0");
}

/** The processes that were started with this word. */
export async function processesWith(word: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const lines = await Promise.all(pids.map(commandLine));
  return pids.filter((_, index) => lines[index]?.includes(word));
}

/**
 * The processes that work in a directory, as far as the account may see them. We ask as that account: in a container, root may not
 * look at another's processes.
 */
export async function processesIn(directory: string, user: ProcessUser | undefined): Promise<number[]> {
  const { output } = await run("/bin/sh", ["-c", "ls -l /proc/[0-9]*/cwd 2>/dev/null"], { user });
  const lines = output.split("\n").filter((line) => line.endsWith(` -> ${directory}`));
  return lines.map((line) => Number(/\/proc\/(\d+)\/cwd/.exec(line)?.[1]));
}
