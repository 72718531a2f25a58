import { systemClock } from "@terrarium/clock";
import { PassThrough } from "node:stream";
import { runProgram } from "../program.ts";
import type { Terminal } from "../terminal.ts";

/** A terminal that nobody sits at: what is given to it, and what was written to it. */
export function recordedTerminal({ input = "", ...given }: Partial<Terminal> & { folder: string; input?: string }) {
  const written = { stdout: "", stderr: "" };
  const record = (name: keyof typeof written) =>
    new PassThrough().on("data", (chunk: Buffer) => (written[name] += chunk.toString()));
  const terminal: Terminal = {
    stdin: new PassThrough().end(input) as unknown as NodeJS.ReadStream,
    stdout: record("stdout"),
    stderr: record("stderr"),
    env: {},
    clock: systemClock,
    fetch,
    signal: new AbortController().signal,
    ...given,
  };
  return {
    terminal,
    /** Runs a command; what it wrote, and what it exited with. */
    async run(...words: string[]) {
      written.stdout = written.stderr = "";
      const exitCode = await runProgram(words, terminal);
      return { exitCode, ...written };
    },
  };
}
