import { spawn } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";

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

/** True while the process runs with `cwd` as its working directory. A number taken over by another process says false. */
export async function runsIn(pid: number, cwd: string): Promise<boolean> {
  try {
    // "pid (name) state ...": a name may hold spaces and brackets, so count from the last one.
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const state = stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
    // A zombie has ended; in a container nobody may ever collect it.
    return state !== "Z" && state !== "X" && (await readlink(`/proc/${pid}/cwd`)) === cwd;
  } catch {
    return false;
  }
}

/** The processes whose working directory is `cwd`, as far as we may see them. */
export async function processesIn(cwd: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const inside = await Promise.all(pids.map((pid) => runsIn(pid, cwd)));
  return pids.filter((_, index) => inside[index]);
}
