import { abortable, type Clock } from "@terrarium/clock";
import { type ChildProcess, spawn } from "node:child_process";
import { type FileHandle, open } from "node:fs/promises";
import { freeLoopbackPort } from "./loopback-port.ts";

export interface ProcessOptions<Control> {
  /** In which it runs. */
  folder: string;
  program: string;
  words: readonly string[];
  /** A file that it reads as its descriptor 3. */
  input?: string | undefined;
  /** All of it: none of the server's secrets. */
  env: Readonly<Record<string, string>>;
  clock: Clock;
  openLog: () => Promise<FileHandle>;
  lastWords: () => Promise<string>;
  /** Rejects while the process does not answer yet. */
  connect: (signal: AbortSignal) => Promise<Control>;
}

const POLL_MS = 20;

/** Starts a process that outlives this one, and resolves when it answers. Leaves none if it fails. @throws the signal's reason; Error with its words */
export async function startProcess<Control>(options: ProcessOptions<Control>, signal: AbortSignal): Promise<Control> {
  const { folder, program, words, env, clock, input, openLog, lastWords, connect } = options;
  signal.throwIfAborted();
  const log = await openLog();
  let given: FileHandle | undefined;
  let child: ChildProcess;
  try {
    given = input === undefined ? undefined : await open(input);
    const stdio = ["ignore" as const, log.fd, log.fd, ...(given ? [given.fd] : [])];
    child = spawn(program, words, { cwd: folder, detached: true, stdio, env });
  } finally {
    await log.close();
    await given?.close();
  }
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(String(error)));
    child.once("exit", (code, by) => resolve(`it ended with ${code ?? by}`));
  });
  let end: string | undefined;
  void ended.then((how) => (end = how));
  child.unref();
  try {
    for (;;) {
      const control = await abortable(connect(signal), signal).catch(() => undefined);
      if (control) return control;
      signal.throwIfAborted();
      if (end !== undefined) throw new Error((await lastWords()) || end);
      await clock.sleep(POLL_MS, signal);
    }
  } catch (error) {
    if (end === undefined && child.kill("SIGKILL")) await ended;
    throw error;
  }
}

const MAX_TRIES = 5;

/** Starts with a free port of loopback, and again with another one if somebody else took it meanwhile. */
export async function withFreePort<Started>(
  start: (port: number) => Promise<Started>,
  isTaken: (error: unknown) => boolean,
): Promise<Started> {
  for (let tries = 1; ; tries++) {
    const port = await freeLoopbackPort();
    try {
      return await start(port);
    } catch (error) {
      if (tries >= MAX_TRIES || !isTaken(error)) throw error;
    }
  }
}
