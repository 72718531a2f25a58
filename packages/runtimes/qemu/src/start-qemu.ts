import { abortable, type Clock } from "@terrarium/clock";
import { openLoopbackPort } from "@terrarium/runtime";
import { type ChildProcess, spawn } from "node:child_process";
import type { FileHandle } from "node:fs/promises";
import { Qmp } from "./qmp.ts";

export interface StartOptions {
  /** Of the machine, in which it runs. */
  folder: string;
  program: string;
  clock: Clock;
  openLog: () => Promise<FileHandle>;
  lastWords: () => Promise<string>;
  argumentsFor: (port: number) => string[];
  /** It will be started with this port. */
  onPort: (port: number) => Promise<void>;
}

const MAX_TRIES = 5;
const POLL_MS = 20;
/** What QEMU says if somebody else took the port meanwhile. */
const PORT_TAKEN = "Could not set up host forwarding rule";

/** Starts a QEMU that outlives this process, and answers. Leaves no process if it fails. @throws the signal's reason; Error with QEMU's words */
export async function startQemu(options: StartOptions, signal: AbortSignal): Promise<{ qmp: Qmp; port: number }> {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    await options.onPort(port);
    try {
      return { port, qmp: await startOnce(options, port, signal) };
    } catch (error) {
      if (tries >= MAX_TRIES || !String(error).includes(PORT_TAKEN)) throw error;
    }
  }
}

async function startOnce(options: StartOptions, port: number, signal: AbortSignal): Promise<Qmp> {
  const { folder, program, clock, openLog, lastWords } = options;
  signal.throwIfAborted();
  const log = await openLog();
  let child: ChildProcess;
  try {
    child = spawn(program, options.argumentsFor(port), {
      cwd: folder,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
      // None of the server's secrets.
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    });
  } finally {
    await log.close();
  }
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(String(error)));
    child.once("exit", (code) => resolve(`QEMU ended with ${code}`));
  });
  let end: string | undefined;
  void ended.then((how) => (end = how));
  child.unref();
  try {
    for (;;) {
      const qmp = await abortable(Qmp.connect(folder, clock, signal), signal).catch(() => undefined);
      if (qmp) return qmp;
      signal.throwIfAborted();
      if (end !== undefined) throw new Error((await lastWords()) || end);
      await clock.sleep(POLL_MS, signal);
    }
  } catch (error) {
    if (end === undefined && child.kill("SIGKILL")) await ended;
    throw error;
  }
}

/** One that adb servers do not scan. */
async function freePort(): Promise<number> {
  const { address, close } = await openLoopbackPort({
    wantedPort: undefined,
    serve: (socket) => socket.destroy(),
    onError: () => undefined,
  });
  close();
  return address.port;
}
